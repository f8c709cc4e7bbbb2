package command

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"kontor/internal/app/socket"
	"kontor/internal/bench"
	"kontor/internal/exchange"
	"kontor/internal/foundation/datadir"
)

// grammar is the whole command line. A new command is one field here and one struct with Run.
type grammar struct {
	datadir.Dir
	JSON   bool   `name:"json" help:"Print one JSON object."`
	Config string `placeholder:"FILE" help:"File with flags, TOML; ./kontor.toml is read where it exists."`

	Serve         serveCommand        `cmd:"" help:"Serve both APIs."`
	Demo          demoCommand         `cmd:"" help:"Serve a sample company, made on first use in ./kontor-demo."`
	Shop          shopCommand         `cmd:"" help:"Serve the sample storefront, which sells over the commerce API of a server."`
	Company       companyFamily       `cmd:"" help:"Companies: create, list, delete, clone."`
	User          userFamily          `cmd:"" help:"Users of the back office."`
	APIKey        apiKeyFamily        `cmd:"" name:"api-key" help:"API keys of other systems: create, list, revoke."`
	StoreKey      storeKeyFamily      `cmd:"" name:"store-key" help:"Store keys, with which a merchant's server calls the commerce API: create, list, revoke."`
	PaymentMethod paymentMethodFamily `cmd:"" name:"payment-method" help:"Ways to pay: set."`
	Contact       contactFamily       `cmd:"" help:"Contacts of customers, for the portal."`
	Invoice       invoiceFamily       `cmd:"" help:"Invoices: book, credit, pay."`
	Review        reviewFamily        `cmd:"" help:"Reviews of stores: publish, reject."`
	WorkOrder     workOrderFamily     `cmd:"" name:"work-order" help:"Work orders: create, complete."`
	Planning      planningFamily      `cmd:"" help:"Planning of purchases, transfers and production: run."`
	Search        searchFamily        `cmd:"" help:"Search of stores: rebuild."`
	Verify        verifyCommand       `cmd:"" help:"Recompute everything derived from its sources and print every difference."`
	Backup        backupCommand       `cmd:"" help:"Copy everything, or one company, into an archive, while it is in use."`
	Restore       restoreCommand      `cmd:"" help:"Put an archive back."`
	Import        importCommand       `cmd:"" help:"Import a table: items, customers, price lists, stock, a history of orders, and more. The columns of a kind are those that export writes."`
	Export        exportCommand       `cmd:"" help:"Write a table that import reads, to a file or standard output."`
	Secrets       secretsCommand      `cmd:"" help:"The key that secrets are sealed with: rotate."`
	Migrate       migrateCommand      `cmd:"" help:"Bring the schema up to date; serve does it by itself."`
	OpenAPI       openapiCommand      `cmd:"" name:"openapi" help:"Print the description of an API (OpenAPI, JSON)."`
	Bench         benchCommand        `cmd:"" help:"Load a company of a given size and measure the standard workloads beside their yardsticks."`
	Version       versionCommand      `cmd:"" help:"Print version, commit, Go and engines."`
}

const about = `Kontor is an ERP for trading companies in one binary.

Every flag may also be given as a variable (--database-url as KONTOR_DATABASE_URL) and in kontor.toml (database-url = "...",
or below [company.create] for one command alone). Flags win over variables, variables over the file.`

// exit carries the exit code out of the parser, which prints help and leaves.
type exit int

// parse reads a call. It answers no command where everything is said already: help, or a mistake (2).
func parse(call socket.Call) (cmd Command, env *Env, code int) {
	env = &Env{Stdin: call.Stdin, Stdout: call.Stdout, Stderr: call.Stderr, Terminal: call.Terminal, dir: call.Dir,
		call: call}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit:
			cmd, code = nil, int(p)
		default:
			panic(p)
		}
	}()
	g := &grammar{}
	from, err := sourcesOf(call)
	if err != nil {
		return nil, env, misuse(env, nil, err)
	}
	args := helped(call.Args)
	parser := kong.Must(g, kong.Name("kontor"), kong.Description(about), kong.Writers(call.Stdout, call.Stderr),
		kong.Vars{"kinds": strings.Join(exchange.Kinds(), ", "), "workloads": strings.Join(bench.Workloads(), ", "),
			"shopworkloads": strings.Join(bench.ShopWorkloads(), ", ")},
		kong.Exit(func(code int) { panic(exit(code)) }), kong.Resolvers(from),
		kong.KindMapper(reflect.String, kong.MapperFunc(readText)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), only(args, from))
	k, err := parser.Parse(args)
	if err != nil {
		return nil, env, misuse(env, k, err)
	}
	env.JSON, env.Place = g.JSON, g.Dir
	if d, ok := k.Selected().Target.Addr().Interface().(livesElsewhere); ok && !isGiven(k, "data") {
		env.Place.Data = d.DefaultData()
	}
	env.Place.Data = env.Path(env.Place.Data)
	cmd, ok := k.Selected().Target.Addr().Interface().(Command)
	if !ok {
		panic("command: " + k.Command() + " has no Run")
	}
	return cmd, env, success
}

// helped is a command line in which who asks for help, in either way, asks with the flag; so does who says nothing.
func helped(args []string) []string {
	if len(args) == 0 {
		return []string{"--help"}
	}
	if args[0] == "help" {
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// readText reads a text, as part of a list or map too, and holds it against the rule that texts have in the APIs.
func readText(c *kong.DecodeContext, into reflect.Value) error {
	given, err := c.Scan.PopValue("string")
	if err != nil {
		return err
	}
	isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	v := given.String()
	if !utf8.ValidString(v) || strings.ContainsFunc(v, isControl) {
		return errors.New("must be UTF-8 without control characters")
	}
	into.SetString(v)
	return nil
}

// only leaves the commands that were not called out of the grammar: to build all their flags takes longer than most
// commands do. A call that does not begin with a command needs them, and so does a file, which may speak of any.
func only(args []string, from *sources) kong.Option {
	var others []string
	begins := false
	for f := range reflect.TypeFor[grammar]().Fields() {
		if _, command := f.Tag.Lookup("cmd"); !command {
			continue
		}
		if len(args) > 0 && args[0] == cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)) {
			begins = true
		} else {
			others = append(others, f.Name)
		}
	}
	if !begins || from.file != nil {
		return kong.IgnoreFields()
	}
	return kong.IgnoreFields(`^grammar\.(` + strings.Join(others, "|") + `)$`)
}

// isGiven reports whether a flag was given, on the command line or by a variable or the file.
func isGiven(k *kong.Context, flag string) bool {
	return slices.ContainsFunc(k.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == flag })
}

// misuse says on one line what is wrong with a command line, and where to read more.
func misuse(env *Env, k *kong.Context, err error) int {
	path := "kontor"
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		k = wrong.Context
	}
	if k != nil && k.Selected() != nil {
		path = k.Selected().FullPath()
	}
	fmt.Fprintf(env.Stderr, "kontor: %s (see %s --help)\n", oneLine(err.Error()), path)
	return usage
}
