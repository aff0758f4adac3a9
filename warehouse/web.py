"""Web sessions and what was spent on advertising."""

from collections.abc import Iterator
from typing import NamedTuple

from warehouse import company
from warehouse.days import DAY_COUNT, DAY_SECONDS, date_of, day_text, index_of, moment_text
from warehouse.dice import Dice, Weighted, allot
from warehouse.people import People
from warehouse.trade import HOUR, Order, day_weights, pounds

_HOURS = Weighted(enumerate(company.HOUR_WEIGHTS))
_DEVICES = Weighted(company.DEVICES)
_SOURCES = Weighted(company.SOURCES)
_COUNTRIES = Weighted(company.COUNTRIES)
_TRACKING_FROM = index_of(company.TRACKING_FROM)


class Session(NamedTuple):
    started: int
    customer_id: int | None
    order_id: int | None
    device: str
    source: str
    country_code: str | None
    pages_viewed: int
    is_bot: bool

    def row(self, number: int) -> tuple[object, ...]:
        head = (number, self.customer_id, self.order_id, moment_text(self.started))
        return (*head, *self[3:], self.order_id is not None)


def session_rows(dice: Dice, people: People, orders: list[Order]) -> Iterator[tuple[object, ...]]:
    """Sessions that ended in an order, that did not, and robots; in the order of the clock."""
    sessions = [*_buying(dice, people, orders), *_browsing(dice, people), *_robots(dice)]
    sessions.sort(key=lambda session: session.started)
    return (session.row(number) for number, session in enumerate(sessions, start=1))


def _buying(dice: Dice, people: People, orders: list[Order]) -> Iterator[Session]:
    """Of a share of the orders the session is known: the visitor had agreed to be counted."""
    internal = {customer.customer_id for customer in people.internal}
    for order in orders:
        started = order.placed - dice.between(2 * 60, 40 * 60)
        if started < _TRACKING_FROM * DAY_SECONDS or order.customer_id in internal:
            continue
        if order.sales_channel in ("web", "app") and dice.chance(150):
            known = order.customer_id if dice.chance(900) else None
            yield _visit(dice, people, started, known, order.order_id)


def _browsing(dice: Dice, people: People) -> Iterator[Session]:
    for day, moment in _moments(dice, company.BROWSING_SESSIONS, day_weights()):
        customer = people.customers[dice.early(people.known[day])]
        known = dice.chance(310) and not customer.is_internal
        yield _visit(dice, people, moment, customer.customer_id if known else None, None)


def _visit(
    dice: Dice, people: People, started: int, customer_id: int | None, order_id: int | None
) -> Session:
    country: str | None = _COUNTRIES.choose(dice)
    if customer_id is not None:
        country = people.addresses[customer_id - 1][0].country_code
    if dice.chance(50):
        country = None
    pages = dice.between(4, 22) if order_id else 1 + dice.early(14)
    device, source = _DEVICES.choose(dice), _SOURCES.choose(dice)
    return Session(started, customer_id, order_id, device, source, country, pages, is_bot=False)


def _robots(dice: Dice) -> Iterator[Session]:
    """Robots come at any hour, and three times as many in May 2025."""
    days = [date_of(day) for day in range(DAY_COUNT)]
    weights = [3 if (day.year, day.month) == (2025, 5) else 1 for day in days]
    for _, moment in _moments(dice, company.BOT_SESSIONS, weights):
        pages = dice.between(60, 240) if dice.chance(300) else 1
        country = _COUNTRIES.choose(dice) if dice.chance(400) else None
        yield Session(moment, None, None, "desktop", "direct", country, pages, is_bot=True)


def _moments(dice: Dice, total: int, weights: list[int]) -> Iterator[tuple[int, int]]:
    counted = allot(total, weights[_TRACKING_FROM:])
    for day, count in enumerate(counted, start=_TRACKING_FROM):
        for _ in range(count):
            second = _HOURS.choose(dice) * HOUR + dice.below(HOUR)
            yield day, day * DAY_SECONDS + second


def ad_rows(dice: Dice) -> Iterator[tuple[object, ...]]:
    """One row per day and campaign; the cost is None where no invoice came."""
    campaign_unbilled, first, last = company.UNBILLED
    for day in range(DAY_COUNT):
        today = date_of(day)
        busy = 160 if today.month >= 11 else 100
        for channel, campaign, daily, per_click in company.CAMPAIGNS:
            cost = daily * (1_000 + day // 2) * busy * dice.between(80, 120) // 10_000_000
            clicks = cost * dice.between(85, 115) // (per_click * 100)
            impressions = clicks * dice.between(28, 61)
            unbilled = campaign == campaign_unbilled and first <= today <= last
            yield (
                day_text(day),
                channel,
                campaign,
                impressions,
                clicks,
                None if unbilled else pounds(cost),
            )
