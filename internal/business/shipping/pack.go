package shipping

import (
	"fmt"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

// Pack closes packing, with further packages where given. Goods the customer fetches are ReadyForPickup then.
//
// Refuses with Shipment.InvalidStatus and Shipment.Invalid.
func Pack(tx *db.Tx, number string, packages []Package) (Shipment, error) {
	s, before, err := begin(tx, number, "pack")
	if err != nil {
		return s, err
	}
	var wrong fault.List
	for i, p := range packages {
		p.check(&wrong, fmt.Sprintf("packages[%d].", i))
		s.add(p)
	}
	if err := wrong.Err(); err != nil {
		return s, err
	}
	s.Status = Packed
	if s.IsPickup {
		s.Status = ReadyForPickup
	}
	if err := save(tx, &s, before, "pack"); err != nil {
		return s, err
	}
	return s, tx.Fire(PackedUp{&s})
}

// check holds what was measured of a package against the rules of measures, under the field at.
func (p *Package) check(wrong *fault.List, at string) {
	for _, m := range []struct {
		field string
		value *dec.Dec
	}{{"weightKg", p.WeightKg}, {"lengthCm", p.LengthCm}, {"widthCm", p.WidthCm}, {"heightCm", p.HeightCm}} {
		wrong.If(m.value != nil && (*m.value <= 0 || *m.value > limit.Measure.Most()), ErrInvalid, at+m.field,
			"must be above 0 and at most %s", limit.Measure.Most())
	}
}

// add numbers a package and puts it on the shipment.
func (s *Shipment) add(p Package) Package {
	p.Number = 1
	for _, have := range s.Packages {
		p.Number = max(p.Number, have.Number+1)
	}
	s.Packages = append(slices.Clip(s.Packages), p)
	s.PackageCount, s.TotalWeightKg = len(s.Packages), s.weigh()
	return p
}

// AddPackage adds a package; a picked shipment is Packing from then on until Pack closes it.
//
// Refuses with Shipment.InvalidStatus and Shipment.Invalid.
func AddPackage(tx *db.Tx, number string, p Package) (Shipment, Package, error) {
	s, before, err := begin(tx, number, "change packages")
	if err != nil {
		return s, p, err
	}
	var wrong fault.List
	if p.check(&wrong, ""); !wrong.Empty() {
		return s, p, wrong.Err()
	}
	p = s.add(p)
	if s.Status == Picked {
		s.Status = Packing
	}
	return s, p, save(tx, &s, before, "addPackage")
}

// ChangePackage lets change alter a package.
//
// Refuses with Shipment.InvalidStatus, ShipmentPackage.NotFound and Shipment.Invalid.
func ChangePackage(tx *db.Tx, number string, pkg int, change func(*Package) error) (Shipment, Package, error) {
	s, before, i, err := beginPackage(tx, number, pkg)
	if err != nil {
		return s, Package{}, err
	}
	p := s.Packages[i]
	if err := change(&p); err != nil {
		return s, p, err
	}
	var wrong fault.List
	if p.check(&wrong, ""); !wrong.Empty() {
		return s, p, wrong.Err()
	}
	p.Number = pkg
	s.Packages[i] = p
	s.TotalWeightKg = s.weigh()
	return s, p, save(tx, &s, before, "changePackage")
}

// RemovePackage takes a package off the shipment. Its number is not given again while later ones exist.
//
// Refuses with Shipment.InvalidStatus and ShipmentPackage.NotFound.
func RemovePackage(tx *db.Tx, number string, pkg int) (Shipment, error) {
	s, before, i, err := beginPackage(tx, number, pkg)
	if err != nil {
		return s, err
	}
	s.Packages = slices.Delete(s.Packages, i, i+1)
	s.PackageCount, s.TotalWeightKg = len(s.Packages), s.weigh()
	return s, save(tx, &s, before, "removePackage")
}

func beginPackage(tx *db.Tx, number string, pkg int) (s, before Shipment, i int, err error) {
	if s, before, err = begin(tx, number, "change packages"); err != nil {
		return s, before, 0, err
	}
	i = slices.IndexFunc(s.Packages, func(p Package) bool { return p.Number == pkg })
	if i < 0 {
		err = ErrPackageNotFound.Because("shipment %s has no package %d", s.Number, pkg)
	}
	return s, before, i, err
}
