"""Customers and their addresses."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from warehouse import company
from warehouse.days import day_text, index_of
from warehouse.dice import Dice, Weighted, allot

_EARLIEST = index_of(date(2021, 3, 1))
_INTERNAL_EVERY = 229
_TIERS = Weighted(company.TIERS)
_ACQUIRED = Weighted(company.ACQUIRED_VIA)
_COUNTRIES = Weighted(company.COUNTRIES)


class Customer(NamedTuple):
    customer_id: int
    full_name: str
    email: str | None
    joined: int
    """Number of the day."""
    tier: str
    acquired_via: str | None
    marketing_opt_in: bool | None
    is_internal: bool

    def row(self) -> tuple[object, ...]:
        return (*self[:3], day_text(self.joined), *self[4:])


class Address(NamedTuple):
    address_id: int
    customer_id: int
    kind: str
    city: str
    country_code: str
    is_default: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class People:
    """Everybody, in the order of joining: the customer with id n is `customers[n - 1]`."""

    customers: list[Customer]
    addresses: list[list[Address]]
    """Of each customer, the default one first."""
    known: list[int]
    """For each day of trade: how many had joined by its end."""
    internal: list[Customer]
    trade: list[Customer]

    def address_rows(self) -> list[Address]:
        return [address for own in self.addresses for address in own]


def make_people(dice: Dice, day_weights: list[int]) -> People:
    """Invent all customers; they join as the days of trade are busy."""
    per_day = allot(company.CUSTOMER_COUNT - company.EARLY_CUSTOMERS, day_weights)
    early = sorted(dice.between(_EARLIEST, -1) for _ in range(company.EARLY_CUSTOMERS))
    joined = early + [day for day, count in enumerate(per_day) for _ in range(count)]
    customers = [_customer(dice, number, day) for number, day in enumerate(joined, start=1)]
    addresses: list[list[Address]] = []
    next_id = 1
    for customer in customers:
        addresses.append(_addresses(dice, customer, next_id))
        next_id += len(addresses[-1])
    known, running = [], len(early)
    for count in per_day:
        running += count
        known.append(running)
    return People(
        customers=customers,
        addresses=addresses,
        known=known,
        internal=[c for c in customers if c.is_internal],
        trade=[c for c in customers if c.tier == "trade"],
    )


def _customer(dice: Dice, number: int, joined: int) -> Customer:
    first, last = dice.one(company.FIRST_NAMES), dice.one(company.LAST_NAMES)
    tier, acquired_via = _TIERS.choose(dice), _ACQUIRED.choose(dice)
    email = f"{first}.{last}{number}@example.org".lower() if dice.chance(980) else None
    opt_in = None if dice.chance(110) else dice.chance(540)
    # Spread over the ids and not at their start, as in a company that keeps on testing.
    if number % _INTERNAL_EVERY == 11:
        name, email = f"Kettlewick Check {number}", f"check{number}@kettlewick.example"
        return Customer(number, name, email, joined, "standard", None, None, True)  # noqa: FBT003
    return Customer(number, f"{first} {last}", email, joined, tier, acquired_via, opt_in, False)  # noqa: FBT003


def _addresses(dice: Dice, customer: Customer, next_id: int) -> list[Address]:
    home = _COUNTRIES.choose(dice)
    places = [("home", home)]
    if dice.chance(260):
        places.append(("work", home))
    if dice.chance(140):
        places.append(("gift", _COUNTRIES.choose(dice)))
    return [
        Address(
            next_id + position,
            customer.customer_id,
            kind,
            dice.one(company.CITIES[country]),
            country,
            position == 0,
        )
        for position, (kind, country) in enumerate(places)
    ]
