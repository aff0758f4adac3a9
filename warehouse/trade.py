"""Products, orders, their lines, and refunds."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from warehouse import company
from warehouse.days import DAY_SECONDS, END, date_of, index_of, moment_text
from warehouse.dice import Dice, Weighted, allot
from warehouse.people import Customer, People

HOUR = 3_600
_HOURS = Weighted(enumerate(company.HOUR_WEIGHTS))
_VOUCHERS = Weighted(company.VOUCHERS)
_REASONS = Weighted(company.REFUND_REASONS)
_LINE_COUNTS = Weighted(((1, 34), (2, 29), (3, 20), (4, 11), (5, 6)))
_QUANTITIES = Weighted(((1, 72), (2, 20), (3, 6), (4, 2)))
_REFUND_COUNTS = Weighted(((1, 78), (2, 16), (3, 6)))
_PHONE_UNTIL = index_of(company.PHONE_UNTIL)
_WHOLESALE_FROM = index_of(company.WHOLESALE_FROM)


class Product(NamedTuple):
    product_id: int
    sku: str
    product_name: str
    family: str
    list_price: int
    unit_cost: int | None
    launched_on: date | None
    discontinued_on: date | None

    def row(self) -> tuple[object, ...]:
        return (*self[:4], pounds(self.list_price), pounds(self.unit_cost), *self[6:])


class Line(NamedTuple):
    order_id: int
    line_no: int
    product_id: int
    quantity: int
    unit_price: int

    def row(self) -> tuple[object, ...]:
        return (*self[:4], pounds(self.unit_price), pounds(self.quantity * self.unit_price))


class Order(NamedTuple):
    """Moments are seconds since the first day of trade, amounts are pence."""

    order_id: int
    customer_id: int
    ship_address_id: int
    placed: int
    dispatched: int | None
    delivered: int | None
    state: str
    sales_channel: str
    voucher_code: str | None
    goods: int
    discount: int | None
    shipping: int
    vat: int

    def row(self) -> tuple[object, ...]:
        charged = self.goods - (self.discount or 0) + self.shipping + self.vat
        moments = [moment_text(m) for m in (self.placed, self.dispatched, self.delivered)]
        amounts = [pounds(p) for p in (self.goods, self.discount, self.shipping, self.vat, charged)]
        return (*self[:3], *moments, *self[6:9], *amounts)


class Refund(NamedTuple):
    order_id: int
    requested: int
    paid: int | None
    amount: int
    status: str
    reason: str | None

    def row(self, number: int) -> tuple[object, ...]:
        moments = (moment_text(self.requested), moment_text(self.paid))
        return (number, self.order_id, *moments, pounds(self.amount), self.status, self.reason)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trade:
    """All that was sold, in the order of placing."""

    orders: list[Order] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)

    def refund_rows(self) -> Iterator[tuple[object, ...]]:
        ordered = sorted(self.refunds, key=lambda r: (r.requested, r.order_id))
        return (refund.row(number) for number, refund in enumerate(ordered, start=1))


def pounds(pence: int | None) -> str | None:
    return None if pence is None else f"{pence // 100}.{pence % 100:02}"


def day_weights() -> list[int]:
    """How busy each day of trade is, in relation to the others."""
    weights = []
    for index in range(END // DAY_SECONDS):
        day = date_of(index)
        weight = (1_000 + index * 55 // 100) * company.MONTH_WEIGHTS[day.month - 1]
        weight *= company.WEEKDAY_WEIGHTS[day.weekday()]
        weights.append(weight * 55 // 100 if company.MOVE[0] <= day < company.MOVE[1] else weight)
    return weights


def make_products() -> list[Product]:
    """The range: what is on sale, what was, and what is only announced."""
    listed = [(family, *item) for family, items in company.PRODUCTS.items() for item in items]
    launches: dict[str, date | None] = dict(company.LATE_LAUNCHES)
    launches.update({name: None for _, name, _, _ in company.ANNOUNCED})
    return [
        Product(
            number,
            f"{family[:2].upper()}-{number:03}",
            name,
            family,
            price,
            cost,
            launches.get(name, date(2022, 1, 10)),
            company.DISCONTINUED.get(name),
        )
        for number, (family, name, price, cost) in enumerate([*listed, *company.ANNOUNCED], start=1)
    ]


def make_trade(dice: Dice, people: People, products: list[Product]) -> Trade:
    """Sell: day by day, in the order of the clock."""
    trade = Trade()
    for day, count in enumerate(allot(company.ORDER_COUNT, day_weights())):
        shelf, channels = _shelf(products, date_of(day)), _channels(day)
        moments = (_HOURS.choose(dice) * HOUR + dice.below(HOUR) for _ in range(count))
        for second in sorted(moments):
            _sell(dice, trade, people, shelf, channels, day * DAY_SECONDS + second)
    return trade


def _shelf(products: list[Product], day: date) -> Weighted[Product]:
    # A few products sell far better than the rest, and hampers sell in winter.
    return Weighted(
        (
            product,
            (4_000 // (product.product_id * 7 % 23 + 4))
            * (3 if product.family == "Gift sets" and day.month >= 11 else 1),
        )
        for product in products
        if product.launched_on
        and product.launched_on <= day
        and (product.discontinued_on is None or day <= product.discontinued_on)
    )


def _channels(day: int) -> Weighted[str]:
    app = 200 + day // 6
    phone = max(0, 130 - day // 10) if day < _PHONE_UNTIL else 0
    wholesale = 28 if day >= _WHOLESALE_FROM else 0
    weights = {"app": app, "phone": phone, "wholesale": wholesale}
    return Weighted([*weights.items(), ("web", 1_000 - sum(weights.values()))])


def _buyer(dice: Dice, people: People, channel: str, day: int) -> Customer:
    """Somebody who had joined by `day`; old customers buy more often than new ones."""
    if channel == "wholesale":
        eligible = [c for c in people.trade if c.joined <= day]
        return eligible[dice.early(len(eligible))]
    customer = people.customers[dice.early(people.known[day])]
    # The next one may have joined later in the day's list, the one before has not.
    return people.customers[customer.customer_id - 2] if customer.is_internal else customer


def _sell(
    dice: Dice,
    trade: Trade,
    people: People,
    shelf: Weighted[Product],
    channels: Weighted[str],
    placed: int,
) -> None:
    day, order_id = placed // DAY_SECONDS, len(trade.orders) + 1
    channel = channels.choose(dice)
    if channel in ("web", "app") and dice.chance(26):
        eligible = [c for c in people.internal if c.joined <= day]
        customer = eligible[dice.below(len(eligible))]
    else:
        customer = _buyer(dice, people, channel, day)
    own = people.addresses[customer.customer_id - 1]
    address = own[0] if dice.chance(800) else dice.one(own)
    lines = _lines(dice, order_id, shelf, bulk=channel == "wholesale" or customer.is_internal)
    trade.lines.extend(lines)
    goods = sum(line.quantity * line.unit_price for line in lines)
    voucher = "STAFF40" if customer.is_internal and dice.chance(300) else _VOUCHERS.choose(dice)
    if channel == "wholesale":
        voucher = None
    discount = None if voucher is None else goods * company.VOUCHER_PERCENT[voucher] // 100
    shipping = _shipping(channel, voucher, address.country_code, goods)
    net = goods - (discount or 0)
    dispatched, delivered, state = _fulfil(dice, placed, address.country_code)
    trade.orders.append(
        Order(
            order_id,
            customer.customer_id,
            address.address_id,
            placed,
            dispatched,
            delivered,
            state,
            channel,
            voucher,
            goods,
            discount,
            shipping,
            ((net + shipping) * company.VAT_PERCENT + 50) // 100,
        )
    )
    if dispatched is not None and dice.chance(72):
        trade.refunds.extend(_refunds(dice, order_id, delivered or dispatched, net))


def _lines(dice: Dice, order_id: int, shelf: Weighted[Product], *, bulk: bool) -> list[Line]:
    chosen = {shelf.choose(dice): None for _ in range(_LINE_COUNTS.choose(dice))}
    return [
        Line(
            order_id,
            position,
            product.product_id,
            dice.between(4, 12) if bulk else _QUANTITIES.choose(dice),
            product.list_price * 70 // 100 if bulk else product.list_price,
        )
        for position, product in enumerate(chosen, start=1)
    ]


def _shipping(channel: str, voucher: str | None, country: str, goods: int) -> int:
    if channel == "wholesale":
        return 1_200
    fee, free_from = (350, 4_500) if country == "GB" else (790, 9_000)
    return 0 if voucher == "FREESHIP" or goods >= free_from else fee


def _fulfil(dice: Dice, placed: int, country: str) -> tuple[int | None, int | None, str]:
    """When the order left and arrived, as far as the end of the data knows, and its state."""
    cancelled, lost = dice.chance(61), dice.chance(7)
    dispatched = placed + dice.between(3 * HOUR, 60 * HOUR)
    slow = dice.chance(140 if country == "GB" else 260)
    days_on_the_way = dice.between(4, 9) if slow else dice.between(1, 4)
    delivered = dispatched + days_on_the_way * DAY_SECONDS + dice.between(-6 * HOUR, 6 * HOUR)
    if cancelled:
        return None, None, "cancelled"
    if dispatched >= END:
        return None, None, "processing"
    if lost or delivered >= END:
        return dispatched, None, "dispatched"
    return dispatched, delivered, "delivered"


def _refunds(dice: Dice, order_id: int, after: int, net: int) -> Iterator[Refund]:
    """One or several requests of one order; they never exceed what its goods cost."""
    count = _REFUND_COUNTS.choose(dice)
    requested = after
    for _ in range(count):
        requested += dice.between(8 * HOUR, 14 * 24 * HOUR)
        amount = net * dice.between(20, 100) // (100 * count)
        paid = requested + dice.between(DAY_SECONDS, 12 * DAY_SECONDS)
        rejected = dice.chance(110)
        reason = _REASONS.choose(dice)
        if requested >= END or amount == 0:
            return
        if rejected:
            yield Refund(order_id, requested, None, amount, "rejected", reason)
        elif paid >= END:
            yield Refund(order_id, requested, None, amount, "pending", reason)
        else:
            yield Refund(order_id, requested, paid, amount, "paid", reason)
