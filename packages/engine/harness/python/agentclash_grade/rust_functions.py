"""A function of an interface of Rust: the request of the tests, and what the process of the code does with it."""

from .rust_tokens import NAME, check, refused, render, without_lifetimes

OWN = "crate::agentclash"


class Parameter:
    def __init__(self, words, of, owner):
        self.text, self.changes, self.borrows = render(words), False, False
        if words[-1] == "self" and ":" not in words:
            self.name, kind = "self", [each for each in words[:-1]] + [owner or "Self"]
            self.text = render([each for each in words])
        elif len(words) > 2 and NAME.match(words[0]) and words[1] == ":":
            self.name, kind = words[0], words[2:]
        else:
            raise refused(of, f"a parameter that is a pattern ({self.text})")
        check(kind, of)
        kind = [owner if each == "Self" and owner else each for each in kind]
        if kind[0] == "&":
            self.borrows = True
            kind = kind[1:]
            if kind and kind[0].startswith("'"):
                kind = kind[1:]
            if kind and kind[0] == "mut":
                self.changes, kind = True, kind[1:]
        elif kind[0] == "mut":
            kind = kind[1:]
        self.is_list = kind[:1] == ["["] and ";" not in kind
        self.kind = kind
        if self.changes and kind == ["str"]:
            raise refused(of, "a text that is changed in place")


class Function:
    def __init__(self, name, generics, parameters, returned, place):
        self.name, self.generics, self.parameters, self.returned = name, generics, parameters, returned
        self.path, self.owner = place
        self.shown = f"{self.owner}::{name}" if self.owner else name

    def written(self, interface, visibility, target):
        objects, owner = interface.objects, self.owner
        returned = [owner if each == "Self" and owner else each for each in self.returned]
        for at, each in enumerate(returned):
            if each in objects and at > 0 and (returned[at - 1] in ("&", "mut") or returned[at - 1].startswith("'")):
                raise refused(self.shown, f"a reference to the object {each}")
        number = interface.number(self.path)
        given, restored, taken, call, changed = [], [], [], [], []
        for at, each in enumerate(self.parameters):
            is_object = len(each.kind) == 1 and each.kind[0] in objects
            if not is_object and any(word in objects for word in each.kind):
                raise refused(self.shown, f"an object within {render(each.kind)}")
            given.append(f"request.give({'' if each.borrows else '&'}{each.name});")
            if is_object and not each.borrows:
                given.append(f"std::mem::forget({each.name});")
            taken.append(self.argument(at, each, is_object))
            call.append(self.passed(at, each, is_object))
            if each.changes and not is_object:
                changed.append(f"{OWN}::peer::Show::show(&a{at}, out);")
                restored.append(f"{OWN}::judge::restore_list({each.name}, &mut reply);" if each.is_list
                                else f"*{each.name} = {OWN}::judge::taken(&mut reply);")
        result = " ".join(without_lifetimes(returned))
        judge = (
            f"{visibility}fn {self.name}{self.generics}({', '.join(each.text for each in self.parameters)}) -> {render(self.returned)} {{ "
            f"let mut request = {OWN}::judge::Request::new({number}); {' '.join(given)} let bytes = request.send(); "
            f"let mut reply = {OWN}::peer::Reader {{ rest: &bytes[1..] }}; "
            f"let result = {OWN}::judge::taken(&mut reply); {' '.join(restored)} {OWN}::judge::ended(&reply); result }}")
        code = (
            f"pub fn agentclash_call_{number}(from: &mut {OWN}::peer::Reader, out: &mut Vec<u8>) -> Option<()> {{ "
            f"{' '.join(taken)} from.end()?; let result: std::mem::ManuallyDrop<{result}> = "
            f"std::mem::ManuallyDrop::new({target}{self.name}({', '.join(call)})); "
            f"{OWN}::peer::Show::show(&*result, out); {' '.join(changed)} Some(()) }}")
        return judge, code

    def argument(self, at, parameter, is_object):
        kind = render(without_lifetimes(parameter.kind))
        if is_object and not parameter.borrows:
            return f"let a{at}: {kind} = {OWN}::code::owned(from)?;"
        if is_object:
            borrow = "try_borrow_mut" if parameter.changes else "try_borrow"
            return (f"let a{at} = {OWN}::code::object::<{kind}>(from)?; "
                    f"let {'mut ' if parameter.changes else ''}a{at} = a{at}.{borrow}().ok()?;")
        if parameter.borrows and kind == "str":
            kind = "String"
        elif parameter.borrows and parameter.is_list:
            kind = f"Vec<{kind[1:-1]}>"
        return f"let {'mut ' if parameter.changes else ''}a{at}: {kind} = {OWN}::peer::Take::take(from)?;"

    def passed(self, at, parameter, is_object):
        if not parameter.borrows:
            return f"a{at}"
        mark = "&mut " if parameter.changes else "&"
        if is_object:
            return f"{mark}*a{at}"
        return f"{mark}a{at}[..]" if parameter.is_list or parameter.kind == ["str"] else f"{mark}a{at}"
