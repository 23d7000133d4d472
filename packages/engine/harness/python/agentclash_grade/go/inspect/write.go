package main

import (
	"fmt"
	"go/constant"
	"go/types"
	"sort"
	"strconv"
	"strings"
)

// imports are named by their paths, so that no name of the code is taken.
type imports struct{ names map[string]string }

func (i *imports) name(path string) string {
	name := renamed + "_" + strings.Map(func(letter rune) rune {
		if letter == '/' || letter == '.' || letter == '-' {
			return '_'
		}
		return letter
	}, path)
	i.names[path] = name
	return name
}

func (g *generator) text(kind types.Type) string {
	return types.TypeString(kind, func(other *types.Package) string {
		if other == g.code {
			return ""
		}
		return g.imports.name(other.Path())
	})
}

// file adds the head to what was written.
func (g *generator) file(body string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n\nimport (\n\tagentclashpeer %q\n", g.code.Name(), peerPlaceholder)
	var paths []string
	for path := range g.imports.names {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		fmt.Fprintf(&text, "\t%s %q\n", g.imports.names[path], path)
	}
	return text.String() + ")\n" + body
}

// proxy declares what the tests need, each function a request.
func (g *generator) proxy() string {
	g.imports = &imports{map[string]string{}}
	var text strings.Builder
	for _, name := range g.types {
		g.declareType(&text, name)
	}
	var names []string
	for _, object := range g.objects {
		if isErrorVariable(object) {
			names = append(names, object.Name())
		}
		g.declare(&text, object)
	}
	adaptors := g.adaptors(&text)
	fmt.Fprintf(&text, "\nvar agentclashIsRegistered = agentclashpeer.Register(agentclashpeer.Registration{\n%s%s})\n", g.typeInfos(), adaptors)
	text.WriteString("\nfunc init() {\n\tagentclashpeer.Register(agentclashpeer.Registration{Errors: map[string]*error{\n")
	for _, name := range names {
		fmt.Fprintf(&text, "\t\t%q: &%s,\n", name, name)
	}
	text.WriteString("\t}})\n}\n")
	return g.file(text.String())
}

// server registers the same of the code itself.
func (g *generator) server() string {
	g.imports = &imports{map[string]string{}}
	var text, functions, variables, errors strings.Builder
	for _, name := range g.types {
		for _, method := range g.methods[name] {
			receiver := name.Name()
			if takesPointer(name.Type().(*types.Named), method) {
				receiver = "(*" + receiver + ")"
			}
			fmt.Fprintf(&functions, "\t\t%q: %s.%s,\n", name.Name()+"."+method.Name(), receiver, method.Name())
		}
	}
	for _, object := range g.objects {
		switch object.(type) {
		case *types.Func:
			fmt.Fprintf(&functions, "\t\t%q: %s,\n", object.Name(), object.Name())
		case *types.Var:
			into := &variables
			if isErrorVariable(object) {
				into = &errors
			}
			fmt.Fprintf(into, "\t\t%q: &%s,\n", object.Name(), object.Name())
		}
	}
	adaptors := g.adaptors(&text)
	fmt.Fprintf(&text, "\nfunc AgentclashServe() {\n\tagentclashpeer.Register(agentclashpeer.Registration{\n%s%s", g.typeInfos(), adaptors)
	fmt.Fprintf(&text, "\tFunctions: map[string]any{\n%s\t},\n\tVariables: map[string]any{\n%s\t},\n", functions.String(), variables.String())
	fmt.Fprintf(&text, "\tErrors: map[string]*error{\n%s\t},\n\t})\n\tagentclashpeer.Serve()\n}\n", errors.String())
	return g.file(text.String())
}

func (g *generator) typeInfos() string {
	var text strings.Builder
	text.WriteString("\tTypes: []agentclashpeer.TypeInfo{\n")
	for _, name := range g.types {
		if types.IsInterface(name.Type()) {
			continue
		}
		fmt.Fprintf(&text, "\t\t{Name: %q, Type: agentclashpeer.TypeOf[%s]()", name.Name(), name.Name())
		if found := g.structs[name]; found != nil {
			text.WriteString(", Fields: []string{")
			for _, field := range found.fields {
				fmt.Fprintf(&text, "%q, ", field.Name())
			}
			fmt.Fprintf(&text, "}, HasHandle: %t", found.hasHandle)
		}
		text.WriteString("},\n")
	}
	return text.String() + "\t},\n"
}

func (g *generator) declareType(text *strings.Builder, name *types.TypeName) {
	found := g.structs[name]
	if found == nil {
		fmt.Fprintf(text, "\ntype %s %s\n", name.Name(), g.text(name.Type().Underlying()))
	} else {
		fmt.Fprintf(text, "\ntype %s struct {\n", name.Name())
		for at, field := range found.fields {
			declared := field.Name() + " " + g.text(field.Type())
			if field.Embedded() {
				declared = g.text(field.Type())
			}
			fmt.Fprintf(text, "\t%s %s\n", declared, tagText(found.tags[at]))
		}
		if found.hasHandle {
			text.WriteString("\tagentclash agentclashpeer.Handle\n")
		}
		text.WriteString("}\n")
	}
	for _, method := range g.methods[name] {
		receiver := name.Name()
		if takesPointer(name.Type().(*types.Named), method) {
			receiver = "*" + receiver
		}
		head, arguments, results := g.signature(method.Type().(*types.Signature))
		fmt.Fprintf(text, "\nfunc (r %s) %s%s {\n\tagentclashpeer.Call(%q, []any{%s}, []any{%s})\n\treturn\n}\n", receiver, method.Name(),
			head, name.Name()+"."+method.Name(), strings.Join(append([]string{"&r"}, arguments...), ", "), strings.Join(results, ", "))
	}
}

func tagText(tag string) string {
	if tag == "" {
		return ""
	}
	return strconv.Quote(tag)
}

// signature: the parameters and results by number, and pointers to them.
func (g *generator) signature(signature *types.Signature) (head string, arguments, results []string) {
	var parameters, returned []string
	for at := 0; at < signature.Params().Len(); at++ {
		kind := signature.Params().At(at).Type()
		written := g.text(kind)
		if slice, ok := kind.(*types.Slice); ok && signature.Variadic() && at == signature.Params().Len()-1 {
			written = "..." + g.text(slice.Elem())
		}
		parameters = append(parameters, fmt.Sprintf("agentclash%d %s", at, written))
		arguments = append(arguments, fmt.Sprintf("&agentclash%d", at))
	}
	for at := 0; at < signature.Results().Len(); at++ {
		returned = append(returned, fmt.Sprintf("agentclashResult%d %s", at, g.text(signature.Results().At(at).Type())))
		results = append(results, fmt.Sprintf("&agentclashResult%d", at))
	}
	return "(" + strings.Join(parameters, ", ") + ") (" + strings.Join(returned, ", ") + ")", arguments, results
}

func (g *generator) declare(text *strings.Builder, object types.Object) {
	name := object.Name()
	switch object := object.(type) {
	case *types.Const:
		written, _ := constantText(object)
		kind := ""
		if basic, ok := object.Type().(*types.Basic); !ok || basic.Info()&types.IsUntyped == 0 {
			kind = g.text(object.Type())
		}
		fmt.Fprintf(text, "\nconst %s %s = %s\n", name, kind, written)
	case *types.Func:
		head, arguments, results := g.signature(object.Type().(*types.Signature))
		fmt.Fprintf(text, "\nfunc %s%s {\n\tagentclashpeer.Call(%q, []any{%s}, []any{%s})\n\treturn\n}\n", name, head, name,
			strings.Join(arguments, ", "), strings.Join(results, ", "))
	case *types.TypeName:
		fmt.Fprintf(text, "\ntype %s = %s\n", name, g.text(object.Type()))
	case *types.Var:
		if isErrorVariable(object) {
			fmt.Fprintf(text, "\nvar %s error = agentclashpeer.NamedError(agentclashIsRegistered, %q)\n", name, name)
			return
		}
		kind := g.text(object.Type())
		fmt.Fprintf(text, "\nvar %s = agentclashpeer.Variable[%s](agentclashIsRegistered, %q)\n", name, kind, name)
	}
}

func constantReason(object *types.Const) string {
	_, reason := constantText(object)
	return reason
}

func constantText(object *types.Const) (text, reason string) {
	value := object.Val()
	basic, _ := object.Type().Underlying().(*types.Basic)
	switch value.Kind() {
	case constant.Bool:
		return value.String(), ""
	case constant.String:
		return strconv.Quote(constant.StringVal(value)), ""
	case constant.Int:
		if basic != nil && basic.Kind() == types.UntypedRune {
			if code, ok := constant.Int64Val(value); ok {
				return strconv.QuoteRune(rune(code)), ""
			}
		}
		if basic != nil && basic.Info()&types.IsInteger == 0 {
			return value.ExactString() + ".0", ""
		}
		return value.ExactString(), ""
	case constant.Float:
		above, below := constant.Num(value), constant.Denom(value)
		if above.Kind() == constant.Int && below.Kind() == constant.Int {
			return above.ExactString() + ".0 / " + below.ExactString() + ".0", ""
		}
	}
	return "", "a constant that is no exact number"
}

// adaptors implement interfaces by requests; the result registers them.
func (g *generator) adaptors(text *strings.Builder) string {
	var registered strings.Builder
	registered.WriteString("\tAdaptors: map[any]func(*agentclashpeer.Remote) any{\n")
	number := 0
	adapt := func(kind *types.Named, restores bool) {
		number++
		adaptor := fmt.Sprintf("agentclashAdaptor%d", number)
		fmt.Fprintf(text, "\ntype %s struct{ remote *agentclashpeer.Remote }\n", adaptor)
		fmt.Fprintf(text, "\nfunc (r %s) AgentclashRemote() *agentclashpeer.Remote { return r.remote }\n", adaptor)
		methods := kind.Underlying().(*types.Interface)
		for at := 0; at < methods.NumMethods(); at++ {
			method := methods.Method(at)
			head, arguments, results := g.signature(method.Type().(*types.Signature))
			fmt.Fprintf(text, "\nfunc (r %s) %s%s {\n\tr.remote.Call(%q, %t, []any{%s}, []any{%s})\n\treturn\n}\n", adaptor, method.Name(), head,
				method.Name(), restores, strings.Join(arguments, ", "), strings.Join(results, ", "))
		}
		fmt.Fprintf(&registered, "\t\t(*%s)(nil): func(r *agentclashpeer.Remote) any { return %s{r} },\n", g.text(kind), adaptor)
	}
	for _, name := range g.types {
		if types.IsInterface(name.Type()) {
			adapt(name.Type().(*types.Named), false)
		}
	}
	for _, kind := range g.standard {
		adapt(kind, true)
	}
	return registered.String() + "\t},\n"
}
