"""Calls of functions, as JSON: [{"arguments": [1, 2], "value": 3}, {"arguments": ["x"], "raises": "ValueError"}]."""

import json

from . import containers, members, modules, shown
from .proxies import CodeEnded
from .errors import SetupFailed


def run(grading):
    options, link = grading.options, grading.link
    calls = read_calls(grading.tests)
    if len(grading.roots) != 1:
        raise SetupFailed("calls are of the functions of one module: give one --code")
    (module,) = grading.roots
    modules.COLLECTING["now"] = False
    functions = [call.get("function", options.function) for call in calls]
    if None in functions:
        raise SetupFailed(f"call {functions.index(None) + 1} has no function, and there is no --function")
    for number, (call, function) in enumerate(zip(calls, functions), 1):
        name = call.get("name", f"call {number}")
        grading.results.plan(name)
        grading.results.record(name, *outcome_of(link, [module, *function.split(".")], call))
        # The next call gets a process that no earlier call has touched.
        link.end()


def read_calls(tests):
    if len(tests.files) != 1:
        raise SetupFailed("the tests of calls are one JSON file")
    try:
        calls = json.loads(next(iter(tests.files.values())))
    except ValueError as error:
        raise SetupFailed(f"{tests.root} is not JSON: {error}") from None
    if not isinstance(calls, list) or not calls:
        raise SetupFailed(f"{tests.root} is no list of calls")
    for number, call in enumerate(calls, 1):
        is_call = isinstance(call, dict) and isinstance(call.get("arguments"), list)
        if not is_call or ("value" in call) == ("raises" in call):
            raise SetupFailed(f'call {number}: give "arguments", a list, and either "value" or "raises"')
    return calls


def outcome_of(link, path, call):
    message = {"op": "call", "on": ["p", path], "args": [link.encode(each) for each in call["arguments"]],
               "kw": {name: link.encode(value) for name, value in call.get("named", {}).items()}}
    try:
        link.request({"op": "import", "name": path[0]})
    except BaseException as error:
        return "failed", f"it cannot be imported: {type(error).__name__}"
    try:
        value = link.request(message)
    except CodeEnded as error:
        return "failed", str(error)
    except (Exception, SystemExit) as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        if call.get("raises") == kinds[0]:
            return "passed", ""
        return "failed", f"it raised {kinds[0]}"
    if "raises" in call:
        return "failed", f"it did not raise {call['raises']}"
    if is_same(value, call["value"]):
        return "passed", ""
    function, arguments = ".".join(path[1:]), ", ".join(map(shown.text, call["arguments"]))
    return "failed", f'{function}({arguments}): expected {shown.text(call["value"])}, got {shown.text(value, plain)}'


def plain(value):
    """What an object is by a base class of Python: of a list, a dict, a text or a number of a class of the code."""
    if type(value) is containers.RemoteContainer:
        return containers.content(value)
    return value._data if isinstance(value, members.RemoteMember) else value


def is_same(value, wanted):
    """As JSON: tuples are lists, and true is no number."""
    value = plain(value)
    if isinstance(wanted, list):
        if not isinstance(value, (list, tuple)) or len(value) != len(wanted):
            return False
        return all(is_same(item, other) for item, other in zip(value, wanted))
    if isinstance(wanted, dict):
        return type(value) is dict and value.keys() == wanted.keys() and all(
            is_same(value[key], wanted[key]) for key in wanted)
    if isinstance(wanted, bool) or wanted is None or isinstance(wanted, str):
        return type(value) is type(wanted) and value == wanted
    return type(value) in (int, float) and value == wanted
