package shop

func account(v *visit) error       { return v.toSignIn() }
func orders(v *visit) error        { return v.toSignIn() }
func order(v *visit) error         { return v.toSignIn() }
func reorder(v *visit) error       { return v.toSignIn() }
func invoices(v *visit) error      { return v.toSignIn() }
func invoicePDF(v *visit) error    { return v.toSignIn() }
func returns(v *visit) error       { return v.toSignIn() }
func newReturn(v *visit) error     { return v.toSignIn() }
func addresses(v *visit) error     { return v.toSignIn() }
func changeAddress(v *visit) error { return v.toSignIn() }
func profile(v *visit) error       { return v.toSignIn() }
func password(v *visit) error      { return v.toSignIn() }
