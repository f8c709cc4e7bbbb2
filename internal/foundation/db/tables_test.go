package db

import "testing"

// What a statement reads and writes is seen whatever way it names its tables.
func TestTablesOfAStatement(t *testing.T) {
	for _, c := range []struct {
		text       string
		from, into []string
	}{
		{"select a from item where company = :company", []string{"item"}, nil},
		{"select i.a, b.x from item i join brand as b on b.key = i.brand left join category c on true",
			[]string{"item", "brand", "category"}, nil},
		{"select 1 from item i, brand b, category where i.a = b.a", []string{"item", "brand", "category"}, nil},
		{"with w as (select id from sales_order) select * from w, sales_order_line l",
			[]string{"sales_order", "sales_order_line"}, nil},
		{"select (select count(*) from cart_line where x = 1), exists (select 1 from cart)",
			[]string{"cart_line", "cart"}, nil},
		{"insert into item (a, b) select a, b from brand", []string{"brand"}, []string{"item"}},
		{"insert into item (a) values (1) on conflict (a) do update set brand = excluded.brand", nil, []string{"item"}},
		{"update item set brand = (select name from brand) where a = 'x from category'", []string{"brand"},
			[]string{"item"}},
		{"UPDATE item AS i SET a = 1 FROM brand b WHERE b.x = i.x", []string{"brand"}, []string{"item"}},
		{"delete from item where id in (select item_id from cart_line)", []string{"cart_line"}, []string{"item"}},
		{"select 1 from item for update of item", []string{"item"}, nil},
		{"select max(stamp) from change where company = :company -- from item", nil, nil},
		{"select a\n\tfrom\n\titem\n\tinner\tjoin stock_level using (item_id)", []string{"item", "stock_level"}, nil},
	} {
		from, into := tablesOf(codeOf(c.text))
		if from != TablesNamed(c.from...) || into != TablesNamed(c.into...) {
			t.Errorf("%s: reads %v, writes %v", c.text, from, into)
		}
	}
}
