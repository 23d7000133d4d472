"""The text of an interface of Rust, as tokens, and what no other process can be given."""

import re

from .errors import SetupFailed

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<token>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|'[A-Za-z_]\w*|[A-Za-z_]\w*|\d[\w.]*|::|->|=>|.)
""", re.VERBOSE | re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*$")
CLOSING = {"(": ")", "[": "]", "{": "}"}
REFUSED = {"dyn": "a trait object", "impl": "a type parameter", "fn": "a function", "Fn": "a closure", "FnMut": "a closure",
           "FnOnce": "a closure", "*": "a pointer", "Rc": "a shared object", "Arc": "a shared object",
           "RefCell": "a shared object", "Mutex": "a shared object"}
ADVICE = ("Declare a function of plain data for it (numbers, texts, lists, maps, Option, Result, structs and enums of "
          "these), or an object (pub type Name;), or grade a program with the adapter cases")


class Tokens:
    def __init__(self, text):
        self.words = text if isinstance(text, list) else [
            each["token"] for each in TOKEN.finditer(text) if each["token"]]
        self.at = 0

    def __bool__(self):
        return self.at < len(self.words)

    def peek(self, ahead=0):
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else None

    def next(self):
        if not self:
            raise SetupFailed("interface.rs ends within a declaration")
        self.at += 1
        return self.words[self.at - 1]

    def skip(self, word):
        if self.peek() != word:
            return False
        self.at += 1
        return True

    def expect(self, word, where):
        if not self.skip(word):
            raise SetupFailed(f"interface.rs: {where}: {word} is expected before {self.peek()}: declarations have no bodies")

    def rest(self):
        return self.words[self.at:]

    def until(self, word, keeps=False):
        """The words before the next one outside of brackets."""
        found = []
        while self.peek() != word:
            each = self.next()
            if each in CLOSING:
                found += [each, *self.closed(each), CLOSING[each]]
            else:
                found.append(each)
        self.at += 0 if keeps else 1
        return found

    def closed(self, opening):
        found = self.until(CLOSING[opening])
        return found

    def group(self, opening):
        self.expect(opening, "::".join(self.words[max(0, self.at - 1):self.at]))
        return Tokens(self.closed(opening))

    def angles(self):
        self.expect("<", "")
        return self.until(">")


def split(words):
    """At the commas outside of brackets."""
    parts, depth = [[]], 0
    for each in words:
        depth += (each in "([{<") - (each in ")]}>")
        if each == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(each)
    return [part for part in parts if part]


def unmarked(words):
    """A field without its attributes and its `pub`; all fields of plain data can be seen."""
    tokens = Tokens(words)
    while tokens.skip("#"):
        tokens.group("[")
    tokens.skip("pub")
    return tokens.rest()


def check(kind, of):
    for each in kind:
        if each in REFUSED:
            raise refused(of, f"{REFUSED[each]} ({render(kind)})")


def without_lifetimes(words):
    return [each for each in words if not (each.startswith("'") and len(each) > 1 and not each.endswith("'"))]


def refused(name, reason):
    return SetupFailed(f"interface.rs: {name} cannot be given to another process: {reason}. {ADVICE}")


def render(words):
    return " ".join(words)
