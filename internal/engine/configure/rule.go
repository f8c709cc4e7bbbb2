package configure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"kontor/internal/foundation/fault"
)

// rule is a rule ready to be asked.
type rule struct {
	Rule
	program cel.Program
	reads   []int // the features it depends on, in their order
	cost    int   // in steps, as CEL estimates it
	needs   []int // those of them without whose choice it holds: it asks nowhere whether they were chosen
}

const (
	valuesName = "values"
	// the choice of the feature of an index, as a variable of its own type; no rule can write such a name
	chosenPrefix = "@v"
	madePrefix   = "@m" // whether it was made
)

// celTypes are the types of choices in rules.
var celTypes = map[Type]*cel.Type{TypeOption: cel.StringType, TypeNumber: cel.DoubleType, TypeText: cel.StringType,
	TypeBoolean: cel.BoolType}

// environment is what rules of the schema may speak of. Every feature is a variable of its type, so that what cannot be
// compared or calculated is found when the schema is saved, not when a customer chooses.
func (s *Schema) environment() (*cel.Env, error) {
	options := []cel.EnvOption{
		cel.Variable(valuesName, cel.MapType(cel.StringType, cel.DynType)),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(4 * MostExpression),
		cel.ParserRecursionLimit(60),
	}
	for i, f := range s.Features {
		n := strconv.Itoa(i)
		options = append(options, cel.Variable(chosenPrefix+n, celTypes[f.Type]),
			cel.Variable(madePrefix+n, cel.BoolType))
	}
	return cel.NewEnv(options...)
}

// place is where in an expression something stands: line 1, column 7.
type place struct{ line, column int }

func (p place) String() string { return fmt.Sprintf("%d:%d", p.line, p.column) }

// compile makes rules ready to be asked. What is wrong with one is said with its place.
func (s *Schema) compile(wrong *problems) []rule {
	env, err := s.environment()
	if err != nil {
		wrong.add("rules", "cannot be read with these features: %s", err)
		return nil
	}
	rules := make([]rule, len(s.Rules))
	for i, r := range s.Rules {
		at := fmt.Sprintf("rules[%d].", i)
		wrong.text(at+"message", r.Message, true, MostMessage)
		before := len(*wrong)
		if wrong.text(at+"expression", r.Expression, true, MostExpression); len(*wrong) > before {
			continue
		}
		c := compilation{schema: s, env: env, factory: ast.NewExprFactory(), wrong: wrong, path: at + "expression"}
		rules[i] = c.compile(r)
	}
	return rules
}

// compilation is one rule on its way.
type compilation struct {
	schema  *Schema
	env     *cel.Env
	factory ast.ExprFactory
	info    *ast.SourceInfo
	wrong   *problems
	path    string

	reads, asked map[int]bool // features whose choice is read, or of which it is asked whether one was made
	dynamic      bool         // reads the map as a whole
	failed       bool
}

func (c *compilation) refuse(e ast.Expr, format string, args ...any) {
	c.failed = true
	l := c.info.GetStartLocation(e.ID())
	c.wrong.add(c.path, "at %s: %s", place{l.Line(), l.Column() + 1}, fault.Say(format, args...))
}

func (c *compilation) compile(r Rule) (out rule) {
	parsed, found := c.env.Parse(r.Expression)
	if c.refusedBy(r.Expression, found) {
		return out
	}
	tree := parsed.NativeRep()
	c.info, c.reads, c.asked = tree.SourceInfo(), map[int]bool{}, map[int]bool{}
	c.rewrite(tree.Expr())
	if c.failed {
		return out
	}
	checked, found := c.env.Check(parsed)
	if c.refusedBy(r.Expression, found) {
		return out
	}
	if t := checked.OutputType(); !t.IsExactType(cel.BoolType) {
		c.refuse(tree.Expr(), "is a %s: a rule must be true or false", cel.FormatCELType(t))
		return out
	}
	estimate, err := c.env.EstimateCost(checked, sizes{c.schema})
	if err != nil || estimate.Max > MostCost {
		c.refuse(tree.Expr(),
			"may take more than %d steps, so it is not known to end in time: write it without walking through values inside one another",
			MostCost)
		return out
	}
	program, err := c.env.Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CustomDecoratorV2(refuseZero))
	if err != nil {
		c.refuse(tree.Expr(), "this cannot be worked out (%s): write it like %s", err, c.schema.Example())
		return out
	}
	out = rule{Rule: r, program: program, cost: int(estimate.Max)}
	for i := range c.schema.Features {
		if c.dynamic || c.reads[i] || c.asked[i] {
			out.reads = append(out.reads, i)
		}
		if c.reads[i] && !c.asked[i] {
			out.needs = append(out.needs, i)
		}
	}
	return out
}

// rewrite gives each choice that is read its own variable, and reads whole numbers beside numbers as numbers:
// values.width * 2. It refuses what no feature has the code of, and division by what is always zero.
func (c *compilation) rewrite(e ast.Expr) {
	switch e.Kind() {
	case ast.SelectKind:
		s := e.AsSelect()
		if isValues(s.Operand()) {
			c.choice(e, s.FieldName(), s.IsTestOnly())
			return
		}
		c.rewrite(s.Operand())
	case ast.CallKind:
		c.rewriteCall(e)
	case ast.ListKind:
		for _, x := range e.AsList().Elements() {
			c.rewrite(x)
		}
	case ast.MapKind:
		for _, x := range e.AsMap().Entries() {
			c.rewrite(x.AsMapEntry().Key())
			c.rewrite(x.AsMapEntry().Value())
		}
	case ast.ComprehensionKind:
		l := e.AsComprehension()
		if l.IterVar() == valuesName || l.IterVar2() == valuesName {
			c.refuse(e, "%q is the name of the choices: call it something else", valuesName)
			return
		}
		for _, x := range []ast.Expr{l.IterRange(), l.AccuInit(), l.LoopCondition(), l.LoopStep(), l.Result()} {
			c.rewrite(x)
		}
	case ast.IdentKind:
		c.dynamic = c.dynamic || isValues(e)
	}
}

func isValues(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == valuesName }

func (c *compilation) rewriteCall(e ast.Expr) {
	call := e.AsCall()
	args := call.Args()
	switch {
	case call.FunctionName() == operators.Index && isValues(args[0]) && isString(args[1]):
		c.choice(e, string(args[1].AsLiteral().(types.String)), false)
		return
	case call.FunctionName() == operators.In && isValues(args[1]) && isString(args[0]):
		c.choice(e, string(args[0].AsLiteral().(types.String)), true)
		return
	}
	if call.IsMemberFunction() {
		c.rewrite(call.Target())
	}
	for _, a := range args {
		c.rewrite(a)
	}
	c.unify(e, call.FunctionName(), args)
}

// unify makes numbers of both sides where one side is a number, since CEL compares and reckons nothing else with it,
// and refuses a division that can only fail.
func (c *compilation) unify(e ast.Expr, f string, args []ast.Expr) {
	switch {
	case sameSides[f] && c.isNumber(args[0]):
		c.toNumber(args[1])
	case sameSides[f] && c.isNumber(args[1]):
		c.toNumber(args[0])
	case f == operators.In && c.isNumber(args[0]) && args[1].Kind() == ast.ListKind:
		for _, x := range args[1].AsList().Elements() {
			c.toNumber(x)
		}
	case f == operators.Conditional && (c.isNumber(args[1]) || c.isNumber(args[2])):
		c.toNumber(args[1])
		c.toNumber(args[2])
	}
	if f == overloads.Matches && len(args) > 0 {
		c.checkPattern(args[len(args)-1])
	}
	if f == operators.Divide || f == operators.Modulo {
		if n, ok := constant(args[1]); ok && n == 0 {
			c.refuse(e, "divides by zero")
		}
	}
}

// sameSides are the operators that have a number on both sides.
var sameSides = map[string]bool{operators.Add: true, operators.Subtract: true, operators.Multiply: true,
	operators.Divide: true, operators.Equals: true, operators.NotEquals: true, operators.Less: true,
	operators.LessEquals: true, operators.Greater: true, operators.GreaterEquals: true}

var arithmetic = map[string]bool{operators.Add: true, operators.Subtract: true, operators.Multiply: true,
	operators.Divide: true, operators.Negate: true}

func isString(e ast.Expr) bool {
	if e.Kind() != ast.LiteralKind {
		return false
	}
	_, ok := e.AsLiteral().(types.String)
	return ok
}

// choice turns what reads a choice into its variable.
func (c *compilation) choice(e ast.Expr, code string, asks bool) {
	i := c.schema.Index(code)
	if i < 0 {
		c.refuse(e, "there is no feature %q", code)
		return
	}
	prefix, note := chosenPrefix, c.reads
	if asks {
		prefix, note = madePrefix, c.asked
	}
	note[i] = true
	e.SetKindCase(c.factory.NewIdent(e.ID(), prefix+strconv.Itoa(i)))
}

// isNumber reports whether an expression that was rewritten is a double.
func (c *compilation) isNumber(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		n, ok := strings.CutPrefix(e.AsIdent(), chosenPrefix)
		i, err := strconv.Atoi(n)
		return ok && err == nil && c.schema.Features[i].Type == TypeNumber
	case ast.LiteralKind:
		_, ok := e.AsLiteral().(types.Double)
		return ok
	case ast.CallKind:
		call := e.AsCall()
		switch f := call.FunctionName(); {
		case f == "double":
			return true
		case f == operators.Conditional:
			return c.isNumber(call.Args()[1])
		case arithmetic[f]:
			return slices.ContainsFunc(call.Args(), c.isNumber)
		}
	}
	return false
}

// toNumber makes doubles of whole numbers that stand beside one.
func (c *compilation) toNumber(e ast.Expr) {
	switch e.Kind() {
	case ast.LiteralKind:
		if n, ok := e.AsLiteral().(types.Int); ok {
			e.SetKindCase(c.factory.NewLiteral(e.ID(), types.Double(n)))
		}
	case ast.CallKind:
		if call := e.AsCall(); arithmetic[call.FunctionName()] {
			for _, a := range call.Args() {
				c.toNumber(a)
			}
		}
	}
}

// constant is the value of an expression of literals alone.
func constant(e ast.Expr) (float64, bool) {
	switch e.Kind() {
	case ast.LiteralKind:
		switch n := e.AsLiteral().(type) {
		case types.Int:
			return float64(n), true
		case types.Uint:
			return float64(n), true
		case types.Double:
			return float64(n), true
		}
	case ast.CallKind:
		call := e.AsCall()
		args := call.Args()
		var n [2]float64
		for i, a := range args {
			v, ok := constant(a)
			if !ok || i > 1 {
				return 0, false
			}
			n[i] = v
		}
		switch call.FunctionName() {
		case operators.Negate:
			return -n[0], true
		case operators.Add:
			return n[0] + n[1], true
		case operators.Subtract:
			return n[0] - n[1], true
		case operators.Multiply:
			return n[0] * n[1], true
		case operators.Divide:
			return n[0] / n[1], true
		case "double", "int", "uint":
			return n[0], len(args) == 1
		}
	}
	return 0, false
}

// sizes bounds what rules see, so that what they cost can be estimated.
type sizes struct{ schema *Schema }

// EstimateCallCost leaves functions to the language.
func (sizes) EstimateCallCost(string, string, *cost.AstNode, []cost.AstNode) *cost.CallEstimate {
	return nil
}

// EstimateSize bounds the choices and their texts.
func (s sizes) EstimateSize(n cost.AstNode) *cost.SizeEstimate {
	path := n.Path()
	if len(path) == 0 {
		return nil
	}
	most := uint64(MostText)
	if path[0] == valuesName && len(path) == 1 {
		most = uint64(len(s.schema.Features))
	} else if i, err := strconv.Atoi(strings.TrimPrefix(path[0], chosenPrefix)); err == nil &&
		i < len(s.schema.Features) {
		if most = uint64(s.schema.Features[i].maxLength()); s.schema.Features[i].Type == TypeOption {
			most = MostCode
		}
	}
	return &cost.SizeEstimate{Max: most}
}

var errZero = errors.New("division by zero")

// refuseZero makes a division of doubles by zero the error that it is for whole numbers, instead of infinity.
func refuseZero(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	if call, ok := i.(interpreter.InterpretableCall); ok && call.Function() == operators.Divide &&
		len(call.Args()) == 2 {
		return &division{InterpretableCall: call, over: call.Args()[0], by: call.Args()[1]}, nil
	}
	return i, nil
}

type division struct {
	interpreter.InterpretableCall
	over, by interpreter.InterpretableV2
}

// Exec divides.
func (d *division) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return divide(d.over.Exec(frame), d.by.Exec(frame))
}

// Eval divides.
func (d *division) Eval(in interpreter.Activation) ref.Val {
	return divide(d.over.Eval(in), d.by.Eval(in))
}

func divide(over, by ref.Val) ref.Val {
	for _, v := range []ref.Val{over, by} {
		if types.IsUnknownOrError(v) {
			return v
		}
	}
	if n, ok := by.(types.Double); ok && (n == 0 || math.IsNaN(float64(n))) {
		return types.WrapErr(errZero)
	}
	if d, ok := over.(traits.Divider); ok {
		return d.Divide(by)
	}
	return types.MaybeNoSuchOverloadErr(over)
}
