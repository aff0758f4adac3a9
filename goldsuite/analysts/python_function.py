"""Finds the function that `python:module:function` names, and what it wants to be given.

All that can be wrong with it is seen before the first question: nothing is called here.
"""

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from goldsuite.analysts.masking import credentials_in, mask_for
from goldsuite.errors import UsageError
from goldsuite.nearest import did_you_mean

__all__ = ["OFFERED", "load_function", "wanted_parameters"]

OFFERED = ("as_of", "dialect", "token", "toolbox", "warehouse_url", "workdir")
"""What a function may declare besides the question."""


def load_function(target: str, base_dir: Path) -> Callable[..., Any]:
    """The function that `module:function` names; the module may lie in `base_dir`.

    Raises:
        UsageError: there is no such module or function, or importing it failed.
    """
    module_name, _, name = target.partition(":")
    if not name or not all(part.isidentifier() for part in (*module_name.split("."), name)):
        raise UsageError(
            f"analyst 'python:{target}': write python:MODULE:FUNCTION, such as "
            "python:my_agent:answer."
        )
    module = _import(module_name, target, base_dir)
    function = getattr(module, name, None)
    if not callable(function):
        names = [n for n, value in vars(module).items() if callable(value) and n[0] != "_"]
        what = "has no function" if function is None else "has something that is no function:"
        hint = did_you_mean(name, names)
        raise UsageError(f"analyst 'python:{target}': {module_name} {what} {name!r}.{hint}")
    return function  # type: ignore[no-any-return]  # callable, and no more is known


def _import(name: str, target: str, base_dir: Path) -> Any:
    first = name.partition(".")[0]
    place = base_dir / first
    beside = place.is_dir() or place.with_suffix(".py").is_file()
    if beside and str(base_dir) not in sys.path:
        # Last, so that no file of the user's stands for a library of ours. It stays there: a
        # function may import what lies beside it when it is called.
        sys.path.append(str(base_dir))
    module = _imported(name, target, base_dir)
    found = getattr(sys.modules[first], "__file__", None)
    if (
        beside
        and found is not None
        and not Path(found).resolve().is_relative_to(base_dir.resolve())
    ):
        raise UsageError(
            f"analyst 'python:{target}': {first!r} is the name of another module ({found}). Rename "
            f"the one in {str(base_dir)!r}."
        )
    return module


def _imported(name: str, target: str, base_dir: Path) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            raise UsageError(
                f"analyst 'python:{target}': there is no module {error.name!r}, neither in "
                f"{str(base_dir)!r} nor among the installed ones."
            ) from None
        raise UsageError(
            f"analyst 'python:{target}': it imports {error.name!r}, which is not installed."
        ) from None
    except Exception as error:
        mask = mask_for(credentials_in(os.environ), "")
        raise UsageError(
            f"analyst 'python:{target}': importing it failed: {type(error).__name__}: "
            f"{mask.text(str(error))}"
        ) from error


def wanted_parameters(
    target: str, function: Callable[..., Any], options: Mapping[str, str]
) -> frozenset[str]:
    """The names of what `function` declares besides the question, of what can be given to it.

    Raises:
        UsageError: it takes no question, needs what is not offered, or does not take an option.
    """
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (ValueError, TypeError):  # one in C does not say: then the question is all it gets
        parameters = [inspect.Parameter("question", inspect.Parameter.POSITIONAL_ONLY)]
    kinds = inspect.Parameter
    if not parameters or parameters[0].kind in {kinds.KEYWORD_ONLY, kinds.VAR_KEYWORD}:
        raise UsageError(
            f"analyst 'python:{target}': it takes no question. Its first parameter is given the "
            "question."
        )
    rest = [] if parameters[0].kind is kinds.VAR_POSITIONAL else parameters[1:]
    named = {p.name for p in rest if p.kind in {kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY}}
    takes_any = any(p.kind is kinds.VAR_KEYWORD for p in parameters)
    known = {*OFFERED, *options}
    _check_needed(target, rest, known)
    for name in options:
        if name in OFFERED or (name not in named and not takes_any):
            hint = did_you_mean(name, named - set(OFFERED))
            raise UsageError(
                f"analyst 'python:{target}': it has no option {name!r}.{hint} Options are "
                "parameters of the function."
            )
    return frozenset(named & known) | (frozenset(options) if takes_any else frozenset())


def _check_needed(target: str, rest: Sequence[inspect.Parameter], known: set[str]) -> None:
    for parameter in rest:
        variadic = parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}
        needed = parameter.default is parameter.empty and not variadic
        if needed and (parameter.name not in known or parameter.kind is parameter.POSITIONAL_ONLY):
            hint = did_you_mean(parameter.name, OFFERED)
            raise UsageError(
                f"analyst 'python:{target}': nothing is known to give to its parameter "
                f"{parameter.name!r}.{hint} Offered are {', '.join(OFFERED)}, and options: "
                f"python:{target} {parameter.name}=VALUE."
            )
