"""What a program gets of our environment."""

from pathlib import Path

import pytest

from goldsuite.analysts.environment import build_environment, hidden_paths, lies_in, mentions
from goldsuite.errors import UsageError

HIDDEN = ("/srv/gold",)
OURS = {
    "PATH": "/usr/bin:/srv/gold/.venv/bin:relative:/bin:",
    "HOME": "/home/ann",
    "PWD": "/srv/gold",
    "OLDPWD": "/srv/gold/runs",
    "LANG": "C.UTF-8",
    "LC_ALL": "C",
    "TZ": "UTC",
    "SSL_CERT_FILE": "/srv/gold/ca.pem",
    "GOLDSUITE_SUITE": "gold-cases.yaml",
    "MY_KEY": "s3cr3t-value",
    "VIRTUAL_ENV": "/srv/gold/.venv",
    "EMPTY": "",
}


def test_the_environment_is_built_up_from_the_short_list() -> None:
    made = build_environment(OURS, pass_env=(), hidden=HIDDEN)
    assert made.variables == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C",
        "TZ": "UTC",
    }
    assert made.path_removed == 2
    assert made.withheld == ("EMPTY", "GOLDSUITE_SUITE", "MY_KEY", "SSL_CERT_FILE", "VIRTUAL_ENV")


def test_variables_are_passed_on_by_name() -> None:
    made = build_environment(OURS, pass_env=("MY_KEY", "HOME", "NOT_HERE"), hidden=HIDDEN)
    assert made.variables["MY_KEY"] == "s3cr3t-value"
    assert made.variables["HOME"] == "/home/ann"
    assert made.unset == ("NOT_HERE",)
    assert dict(made.passed) == {"MY_KEY": "s3cr3t-value", "HOME": "/home/ann"}


@pytest.mark.parametrize(
    "name", ["PWD", "OLDPWD", "GOLDSUITE_SUITE", "GOLDSUITE_TOKEN", "VIRTUAL_ENV", "A=B", ""]
)
def test_a_variable_that_would_lead_to_the_suite_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        build_environment(OURS, pass_env=(name,), hidden=HIDDEN)
    assert repr(name) in str(caught.value)
    assert "/srv" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/srv/gold", True),
        ("/srv/gold/x.yaml", True),
        ("a:/srv/gold:b", True),
        ("-I/srv/gold/lib", True),
        ("sqlite:////srv/gold/a.db", True),
        ("file:///srv%2Fgold/a.db", True),
        ("/srv/gold.", True),
        ("/srv/golden", False),
        ("/srv/gold-2", False),
        ("/srv/gold.old", False),
        ("/srv", False),
        ("", False),
    ],
)
def test_a_value_mentions_a_hidden_folder_by_whole_names(value: str, expected: bool) -> None:
    assert mentions(value, HIDDEN) is expected


def test_a_link_to_a_hidden_folder_is_hidden_too(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    hidden = hidden_paths([tmp_path / "link"])
    assert hidden == (str(tmp_path / "link"), str(real))
    assert lies_in(str(tmp_path / "link" / "bin"), hidden)
    assert not lies_in(str(tmp_path / "realm"), hidden)


def test_the_root_folder_cannot_be_hidden() -> None:
    assert hidden_paths([Path("/")]) == ()
