"""The facts of the invented company: Kettlewick, which sells tea, coffee and what they need.

Weights are relative likelihoods, prices are pence.
"""

from datetime import date

CUSTOMER_COUNT = 14_000
EARLY_CUSTOMERS = 3_200
"""Joined before the first day of trade in the warehouse."""
ORDER_COUNT = 100_000
BROWSING_SESSIONS = 104_000
BOT_SESSIONS = 17_000

COUNTRIES = (("GB", 62), ("DE", 13), ("IE", 9), ("FR", 9), ("NL", 7))
CITIES = {
    "GB": ("London", "Leeds", "Bristol", "Glasgow", "Norwich", "Cardiff"),
    "DE": ("Bremen", "Cologne", "Leipzig"),
    "IE": ("Dublin", "Cork", "Galway"),
    "FR": ("Lille", "Nantes", "Rennes"),
    "NL": ("Utrecht", "Haarlem"),
}
TIERS = (("standard", 78), ("plus", 17), ("trade", 5))
ACQUIRED_VIA = (
    ("organic", 34),
    ("paid search", 22),
    ("social", 16),
    ("referral", 12),
    ("email", 7),
    (None, 9),
)
FIRST_NAMES = (
    "Ada", "Alan", "Beth", "Bram", "Cara", "Colm", "Dora", "Dirk", "Elsa", "Ewan", "Fay", "Finn",
    "Greta", "Gus", "Hana", "Hugo", "Ines", "Ivor", "Jana", "Jude", "Kim", "Kurt", "Lena", "Luc",
    "Maeve", "Milo", "Nell", "Niels", "Orla", "Otis", "Pia", "Piet", "Rhea", "Rory", "Saskia",
    "Sven", "Tess", "Tom", "Una", "Wout",
)  # fmt: skip
LAST_NAMES = (
    "Abbott", "Adler", "Bakker", "Barlow", "Byrne", "Carver", "Conti", "Dekker", "Doyle", "Dubois",
    "Ellis", "Engel", "Fischer", "Flynn", "Girard", "Grove", "Haas", "Hale", "Ivers", "Jansen",
    "Keane", "Klein", "Lambert", "Lowe", "Marsh", "Meyer", "Nolan", "Oakes", "Petit", "Pryce",
    "Quinn", "Reid", "Roux", "Sattler", "Shaw", "Tully", "Visser", "Ward", "Wolf", "Yates",
)  # fmt: skip

WHOLESALE_FROM = date(2024, 4, 1)
PHONE_UNTIL = date(2025, 9, 1)
"""The telephone desk closed: no order by telephone from this day on."""
TRACKING_FROM = date(2024, 1, 1)
MOVE = (date(2025, 2, 1), date(2025, 3, 1))
"""The depot moved: fewer orders from the first date until before the second."""

WEEKDAY_WEIGHTS = (104, 96, 94, 98, 103, 112, 121)
MONTH_WEIGHTS = (92, 90, 95, 90, 86, 79, 74, 78, 97, 108, 148, 163)
HOUR_WEIGHTS = (6, 3, 2, 1, 1, 3, 9, 19, 31, 38, 42, 46, 52, 47, 41, 40, 43, 50, 61, 74, 82, 70,
                43, 20)  # fmt: skip

VOUCHERS = ((None, 800), ("WELCOME10", 90), ("STEEP15", 60), ("FREESHIP", 50))
VOUCHER_PERCENT = {"WELCOME10": 10, "STEEP15": 15, "FREESHIP": 0, "STAFF40": 40}
VAT_PERCENT = 20

PRODUCTS: dict[str, tuple[tuple[str, int, int | None], ...]] = {
    "Loose tea": (
        ("Harbour Breakfast", 890, 310), ("Fenland Earl Grey", 950, 340),
        ("Smoked Pine", 1150, 520), ("Lemon Verbena", 790, 260), ("First Flush", 1690, 880),
        ("Oat Straw Blend", 740, 230), ("Rose Congou", 1250, 540), ("Roasted Barley", 690, 190),
        ("Silver Tips", 2450, 1390), ("Malty Assam", 980, 360), ("Green Gunpowder", 870, 320),
        ("Sleepy Chamomile", 760, 240), ("Ginger Root", 720, 210), ("Aged Cake 2014", 3900, 2650),
    ),
    "Coffee": (
        ("House Roast", 1090, 520), ("Quay Espresso", 1190, 590), ("Decaf Dusk", 1240, 640),
        ("Single Farm Lot 9", 1650, 960), ("Cold Brew Bags", 1390, 610),
        ("Filter Light", 1150, 560), ("Winter Roast", 1290, 650), ("Green Beans 1 kg", 1490, 900),
    ),
    "Brewing gear": (
        ("Stovetop Kettle", 4900, 2300), ("Gooseneck Kettle", 7900, 4100),
        ("Glass Teapot", 3400, 1350), ("Cast Iron Teapot", 6200, 3300),
        ("Mesh Infuser", 990, 280), ("Pour-over Cone", 2400, 880), ("Paper Filters", 590, 150),
        ("Hand Grinder", 8900, 5200), ("Pocket Scale", 2900, 1450),
        ("Brew Thermometer", 1890, None), ("Matcha Whisk", 1690, 620),
    ),
    "Drinkware": (
        ("Enamel Mug", 1200, 430), ("Stoneware Mug", 1800, 690), ("Travel Flask", 2700, 1180),
        ("Espresso Pair", 2200, 910), ("Tasting Cups", 2600, 1040),
        ("Double-wall Glass", 1900, 760), ("Saucer Set", 2100, None), ("Tea Bowl", 1700, 590),
    ),
    "Gift sets": (
        ("Starter Box", 3500, 1490), ("Sampler of Six", 2900, 1120),
        ("Teatime for Two", 5400, 2450), ("Coffee Traveller", 6900, 3700),
        ("Winter Hamper", 9500, 5600), ("Advent Tea Tower", 4800, 1990),
    ),
}  # fmt: skip
LATE_LAUNCHES = {
    "Cold Brew Bags": date(2024, 5, 14),
    "Pocket Scale": date(2024, 9, 2),
    "Advent Tea Tower": date(2023, 10, 16),
    "Travel Flask": date(2025, 3, 3),
    "Smoked Pine": date(2023, 6, 5),
}
DISCONTINUED = {"Green Beans 1 kg": date(2024, 6, 30), "Roasted Barley": date(2025, 4, 30)}
ANNOUNCED = (("Coffee", "Nitro Cans", 1590, None), ("Drinkware", "Copper Cup", 3200, 1500))
"""Listed but not launched, so never sold."""

REFUND_REASONS = (
    ("damaged", 34),
    ("late", 21),
    ("changed mind", 25),
    ("wrong item", 12),
    (None, 8),
)
DEVICES = (("mobile", 57), ("desktop", 35), ("tablet", 8))
SOURCES = (("direct", 31), ("paid search", 27), ("social", 19), ("email", 14), ("referral", 9))
CAMPAIGNS = (
    ("paid search", "brand terms", 9_800, 46),
    ("paid search", "generic tea", 14_600, 71),
    ("social", "photo stories", 11_200, 38),
    ("social", "short video", 8_300, 29),
    ("affiliate", "partner blogs", 5_900, 55),
)
"""Channel, campaign, daily cost in pence at the start, cost in pence of one click."""
UNBILLED = ("short video", date(2025, 3, 10), date(2025, 3, 12))
"""No invoice came for this campaign on these days: the cost is not known."""
