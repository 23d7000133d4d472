"""The interface that hidden Rust tests have of the code: declarations that the author of the tests has written.

The crate that the tests are compiled with, and the program that serves its calls, are written from these alone: nothing
of them depends on the code under test."""

import re

from .errors import SetupFailed
from .rust_functions import OWN, Function, Parameter
from .rust_tokens import NAME, Tokens, check, refused, render, split, unmarked

UNSUPPORTED = {"trait": "a trait", "const": "a constant", "static": "a variable", "macro_rules": "a macro",
               "unsafe": "unsafe code", "async": "an asynchronous function", "extern": "a foreign function", "union": "a union"}


class Interface:
    """`judge`: the source of the crate that the tests see. `code`: that of the program with the code under test."""

    def __init__(self, text):
        self.crate = None
        # By the number of a function: the path of its module.
        self.folders = []
        # The names of the types that stay in the process of the code, of all modules.
        self.objects = set()
        write = self.module(Tokens(text), [])
        self.judge, self.code = write()
        if self.crate is None:
            raise SetupFailed('interface.rs does not name the crate: begin it with #![crate_name = "name"]')

    def module(self, tokens, path):
        names, items = set(), []
        while tokens:
            items.append(self.item(tokens, path, names))

        def write():
            used = f"use ::code::{''.join(each + '::' for each in path)}{{{', '.join(sorted(names))}}};\n" if names else ""
            parts = [each() for each in items]
            return "\n".join(judge for judge, _ in parts), used + "\n".join(code for _, code in parts)
        return write

    def item(self, tokens, path, names):
        attributes = self.attributes(tokens, path)
        tokens.skip("pub")
        kind = tokens.next()
        where = "::".join([*path, tokens.peek() or ""])
        if kind in UNSUPPORTED:
            name = tokens.peek(1) if kind in ("unsafe", "async") else tokens.peek()
            raise refused(name or kind, UNSUPPORTED[kind])
        if kind == "use":
            text = render(tokens.until(";"))
            return lambda: (f"{attributes} pub use {text};", "#[allow(unused_imports)] use " + used_by_code(text) + ";")
        if kind == "mod":
            name = tokens.next()
            write = self.module(tokens.group("{"), [*path, name])

            def module():
                judge, code = write()
                return f"pub mod {name} {{ {judge} }}", f"mod {name} {{ {code} }}"
            return module
        if kind == "type":
            name = tokens.next()
            if tokens.peek() == "=":
                text = render(tokens.until(";"))
                return lambda: (f"pub type {name} {text};", f"#[allow(dead_code)] type {name} {text};")
            tokens.expect(";", where)
            names.add(name)
            self.objects.add(name)
            return lambda: (object_of_judge(name, attributes), object_of_code(name))
        if kind == "struct":
            return self.struct(tokens, names, attributes)
        if kind == "enum":
            return self.enum(tokens, names, attributes)
        if kind == "impl":
            return self.implementation(tokens, path)
        if kind == "fn":
            function = self.function(tokens, path)
            return lambda: function.written(self, "pub ", f"::code::{''.join(each + '::' for each in path)}")
        raise SetupFailed(f"interface.rs: {kind} {where}: only fn, struct, enum, type, impl, mod and use can be declared")

    def attributes(self, tokens, path):
        kept = ""
        while tokens.skip("#"):
            is_inner = tokens.skip("!")
            text = tokens.group("[").rest()
            if is_inner and text[:2] == ["crate_name", "="] and not path:
                self.crate = text[2].strip('"')
                if not NAME.match(self.crate):
                    raise SetupFailed(f"interface.rs: {self.crate} is no name of a crate: it has _ in the place of -")
            elif not is_inner:
                kept += f"#[{render(text)}] "
        return kept

    def struct(self, tokens, declared, attributes):
        name = self.type_name(tokens, declared)
        if tokens.peek() == "(":
            fields = [["pub"] + unmarked(each) for each in split(tokens.group("(").rest())]
            for each in fields:
                check(each, name)
            tokens.expect(";", name)
            shape = f"({', '.join(map(render, fields))});"
            names = [str(at) for at in range(len(fields))]
        elif tokens.skip(";"):
            shape, names = ";", []
        else:
            fields = [unmarked(each) for each in split(tokens.group("{").rest())]
            for each in fields:
                check(each[2:], f"{name}.{each[0]}")
            shape = f"{{ {', '.join('pub ' + render(each) for each in fields)} }}"
            names = [each[0] for each in fields]
        value = f"{name} {{ {', '.join(f'{each}: {OWN}::peer::Take::take(from)?' for each in names)} }}"
        shown = " ".join(f"{OWN}::peer::Show::show(&self.{each}, out);" for each in names)
        carried = carry(name, f"out.push(0); {shown}", f"<u8 as {OWN}::peer::Take>::take(from)?; Some({value})")
        return lambda: (f"{attributes} pub struct {name} {shape} {carried}", carried)

    def enum(self, tokens, declared, attributes):
        name = self.type_name(tokens, declared)
        variants, shown, taken = [], [], []
        for at, words in enumerate(split(tokens.group("{").rest())):
            inner, variant = Tokens(words), ""
            self.attributes(inner, [])
            variant = inner.next()
            if inner.peek() == "(":
                kinds = split(inner.group("(").rest())
                for each in kinds:
                    check(each, f"{name}::{variant}")
                shape, names = f"({', '.join(map(render, kinds))})", [f"a{each}" for each in range(len(kinds))]
                pattern = f"({', '.join(names)})"
                value = f"({', '.join(f'{OWN}::peer::Take::take(from)?' for _ in names)})"
            elif inner.peek() == "{":
                fields = split(inner.group("{").rest())
                for each in fields:
                    check(each[2:], f"{name}::{variant}")
                shape, names = f"{{ {', '.join(map(render, fields))} }}", [each[0] for each in fields]
                pattern = f"{{ {', '.join(names)} }}"
                value = f"{{ {', '.join(f'{each}: {OWN}::peer::Take::take(from)?' for each in names)} }}"
            else:
                shape, names, pattern, value = render(inner.rest()), [], "", ""
            variants.append(f"{variant} {shape}")
            every = " ".join(f"{OWN}::peer::Show::show({each}, out);" for each in names)
            shown.append(f"{name}::{variant} {pattern} => {{ {OWN}::peer::Show::show(&{at}u32, out); {every} }}")
            taken.append(f"{at} => Some({name}::{variant} {value}),")
        carried = carry(name, f"match self {{ {' '.join(shown)} }}",
                        f"match <u32 as {OWN}::peer::Take>::take(from)? {{ {' '.join(taken)} _ => None }}")
        return lambda: (f"{attributes} pub enum {name} {{ {', '.join(variants)} }} {carried}", carried)

    def type_name(self, tokens, declared):
        name = tokens.next()
        if tokens.peek() == "<":
            raise refused(name, "a generic type")
        declared.add(name)
        return name

    def implementation(self, tokens, path):
        if tokens.peek() == "<":
            raise refused("impl<…>", "a generic type")
        head = tokens.until("{", keeps=True)
        trait, name = None, render(head)
        if "for" in head:
            trait, name = render(head[: head.index("for")]), render(head[head.index("for") + 1:])
        if not NAME.match(name):
            raise refused(name, "a type of another form")
        body, associated, functions = tokens.group("{"), [], []
        while body:
            attributes = self.attributes(body, path)
            body.skip("pub")
            kind = body.next()
            if kind == "type" and trait:
                associated.append(f"type {render(body.until(';'))};")
            elif kind == "fn":
                functions.append(self.function(body, path, name))
            else:
                raise refused(f"{name}::{body.peek()}", UNSUPPORTED.get(kind, kind))

        def make():
            target = f"<{name} as {trait}>::" if trait else f"{name}::"
            parts = [each.written(self, "" if trait else "pub ", target) for each in functions]
            methods = " ".join([*associated, *(ours for ours, _ in parts)])
            return f"impl {trait + ' for ' if trait else ''}{name} {{ {methods} }}", "\n".join(theirs for _, theirs in parts)
        return make

    def function(self, tokens, path, owner=None):
        name = tokens.next()
        shown = f"{owner}::{name}" if owner else name
        generics = ""
        if tokens.peek() == "<":
            inner = tokens.angles()
            if any(not each.startswith("'") and each != "," for each in inner):
                raise refused(shown, "a generic function: declare it for the type that the tests use")
            generics = f"<{render(inner)}>"
        parameters = [Parameter(each, shown, owner) for each in split(tokens.group("(").rest())]
        returned = ["(", ")"]
        if tokens.skip("->"):
            returned = tokens.until(";")
        else:
            tokens.expect(";", shown)
        if "where" in returned:
            raise refused(shown, "a generic function")
        check(returned, shown)
        return Function(name, generics, parameters, returned, (path, owner))

    def number(self, path):
        self.folders.append("".join(f"{each}::" for each in ["crate", *path]))
        return len(self.folders) - 1


def used_by_code(text):
    return re.sub(r"^crate ::", "::code ::", text)


def carry(name, show, take):
    return (f"impl {OWN}::peer::Show for {name} {{ #[allow(unused_variables)] fn show(&self, out: &mut Vec<u8>) {{ {show} }} }} "
            f"impl {OWN}::peer::Take for {name} {{ fn take(from: &mut {OWN}::peer::Reader) -> Option<Self> {{ {take} }} }}")


def object_of_judge(name, attributes):
    return (
        f"{attributes} pub struct {name} {{ id: u64 }} "
        f"impl {OWN}::peer::Show for {name} {{ fn show(&self, out: &mut Vec<u8>) {{ self.id.show(out); }} }} "
        f"impl {OWN}::peer::Take for {name} {{ fn take(from: &mut {OWN}::peer::Reader) -> Option<Self> {{ "
        f"Some({name} {{ id: <u64 as {OWN}::peer::Take>::take(from)? }}) }} }} "
        f"impl Drop for {name} {{ fn drop(&mut self) {{ {OWN}::judge::release(self.id); }} }} "
        f'impl std::fmt::Debug for {name} {{ fn fmt(&self, f: &mut std::fmt::Formatter<\'_>) -> std::fmt::Result {{ f.write_str("{name}") }} }}'
    ).replace("self.id.show(out)", f"{OWN}::peer::Show::show(&self.id, out)")


def object_of_code(name):
    return (f"impl {OWN}::peer::Show for {name} {{ fn show(&self, out: &mut Vec<u8>) {{ "
            f"unsafe {{ {OWN}::code::keep(self, out) }} }} }}")
