"""URLs are shown without their secrets, also where no parser accepts them."""

import pytest

from goldsuite.errors import WarehouseError
from goldsuite.warehouse.files import parse_url, secrets_of
from goldsuite.warehouse.urls import has_secret, mask_url

MASKED = [
    ("duckdb:///warehouse/demo.duckdb", "duckdb:///warehouse/demo.duckdb"),
    ("duckdb:////home/me@work/a:b.duckdb", "duckdb:////home/me@work/a:b.duckdb"),
    ("sqlite:///", "sqlite:///"),
    ("postgresql://ann:hunter2@db/sales", "postgresql://ann:***@db/sales"),
    ("postgresql+psycopg://ann:hunter2@db:5432/x", "postgresql+psycopg://ann:***@db:5432/x"),
    ("postgresql://ann@db/sales", "postgresql://ann@db/sales"),
    ("postgresql://db:5432/sales", "postgresql://db:5432/sales"),
    ("mysql://:hunter2@db/x", "mysql://:***@db/x"),
    ("x://ann:hunter2@db/x?sslmode=require", "x://ann:***@db/x?sslmode=require"),
    ("x://db/x?user=ann&password=hunter2", "x://db/x?user=ann&password=***"),
    ("x://db/x?Password=hunter2&a=1", "x://db/x?Password=***&a=1"),
    ("x://db/x?access_token=hunter2", "x://db/x?access_token=***"),
    ("x://db/x?api_key=hunter2;a=1", "x://db/x?api_key=***;a=1"),
    ("x://db/x?pass%77ord=hunter2", "x://db/x?pass%77ord=***"),
    ("x://db/x?user=ann@example.com&a=1", "x://db/x?user=ann@example.com&a=1"),
    ("md:sales?motherduck_token=hunter2", "md:sales?motherduck_token=***"),
]


@pytest.mark.parametrize(("url", "masked"), MASKED)
def test_a_url_is_shown_without_its_secrets(url: str, masked: str) -> None:
    assert mask_url(url) == masked
    assert has_secret(url) is (url != masked)


MALFORMED = [
    "postgresql://ann:hunter2/x@db/sales",
    "postgresql://ann:hunter2@x@db/sales",
    "postgresql://ann:a?hunter2@db/sales",
    "postgresql://ann:a#hunter2@db/sales",
    "postgresql://ann:hunter2",
    "postgresql://ann:hunter2/sales",
    "postgresql://ann:hunter2@db:port/sales",
    "postgresql:/ann:hunter2@db/sales",
    "ann:hunter2@db",
    "x://db/x?password=a&hunter2",
    "x://db/x?password=a#hunter2",
    "x://db/x?password=a?hunter2",
    "x://ann:hunter2@db/x?a=b@c",
    "x://[::1/x?token=hunter2",
]


@pytest.mark.parametrize("url", MALFORMED)
def test_a_malformed_url_leaks_nothing(url: str) -> None:
    assert "hunter2" not in mask_url(url)


@pytest.mark.parametrize("url", ["", "not a url", "ann:hunter2@db", "postgresql://a:hunter2@b:c/d"])
def test_an_unreadable_url_is_an_error_without_the_secret(url: str) -> None:
    with pytest.raises(WarehouseError) as caught:
        parse_url(url)
    assert "hunter2" not in str(caught.value)
    assert "duckdb:///" in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_secrets_of_a_url_are_known_one_by_one() -> None:
    url = parse_url("postgresql://ann:hun%40ter@db/x?sslpassword=deep&sslmode=require")
    assert secrets_of(url) == ("hun@ter", "deep")


def test_a_password_typed_raw_is_known_on_both_sides_of_its_own_at() -> None:
    # SQLAlchemy cuts at the first @, so that drivers repeat the rest as part of the host.
    assert secrets_of(parse_url("postgresql://u:first@second@host/db")) == ("second", "first")
