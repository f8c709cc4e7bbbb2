package media

import (
	"strings"

	"kontor/internal/foundation/lazy"
)

// elements are those a drawing may hold, and what each is written as. A link becomes a group: what it holds stays.
var elements = func() map[string]string {
	known := map[string]string{"a": "g"}
	for name := range strings.FieldsSeq(`svg g defs symbol use switch title desc style
		path rect circle ellipse line polyline polygon text tspan textPath image
		marker clipPath mask pattern linearGradient radialGradient stop filter
		feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
		feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight
		feSpecularLighting feSpotLight feTile feTurbulence`) {
		known[name] = name
	}
	return known
}()

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// attributes are those that elements may have, besides references (see refers) and aria-*.
var attributes = setOf(`id class style lang xml:lang xml:space role version baseProfile
	x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points width height viewBox preserveAspectRatio transform transform-origin
	pathLength rotate textLength lengthAdjust startOffset method spacing side
	gradientUnits gradientTransform spreadMethod offset patternUnits patternContentUnits patternTransform
	clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
	filterUnits primitiveUnits in in2 result mode type values tableValues slope intercept amplitude exponent operator k1 k2 k3 k4
	order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant
	specularConstant specularExponent limitingConeAngle azimuth elevation z pointsAtX pointsAtY pointsAtZ scale xChannelSelector
	yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles systemLanguage requiredFeatures
	alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters color-rendering
	direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-size
	font-size-adjust font-stretch font-style font-variant font-weight glyph-orientation-horizontal glyph-orientation-vertical
	image-rendering isolation kerning letter-spacing lighting-color marker marker-end marker-mid marker-start mask mask-type
	mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
	stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering
	unicode-bidi vector-effect visibility white-space word-spacing writing-mode`)

// isName are attributes that hold names, where brackets mean nothing.
var isName = setOf("id class lang xml:lang")

// refers are the elements that may refer to a part of their own drawing.
var refers = setOf("use textPath linearGradient radialGradient pattern filter")

// fragment is a reference to a part of the same drawing.
var fragment = lazy.Regexp(`^#[^\s"'()<>\\]+$`)

// call is a function of CSS or of an attribute: its name, and what follows as far as a reference would go.
var call = lazy.Regexp(`([\w-]*)\(\s*(["']?#[^\s"'()<>\\]+["']?\s*\))?`)

// rule is an at-rule of CSS.
var rule = lazy.Regexp(`@[\w-]*`)

// functions are those of CSS that compute and fetch nothing.
var functions = setOf(`rgb rgba hsl hsla hwb lab lch color color-mix calc min max clamp var
	matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d rotate rotatex rotatey
	rotatez rotate3d skew skewx skewy perspective
	blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
	circle ellipse inset polygon path linear steps cubic-bezier not is where nth-child nth-of-type first-child last-child`)

// harmless reports whether a style, or the value of an attribute that may hold one, reaches nothing outside its
// drawing. In CSS a function's bracket follows its name at once, comments or not (CSS Syntax, section 4.3.4), and only
// a backslash can write a letter of a name in another way: so the text as it stands shows every function.
func harmless(css string) bool {
	if !strings.ContainsAny(css, `(\@<`) {
		return true
	}
	if strings.ContainsAny(css, `\<`) {
		return false
	}
	for _, at := range rule().FindAllString(css, -1) {
		if !strings.EqualFold(at, "@media") {
			return false
		}
	}
	for _, m := range call().FindAllStringSubmatch(css, -1) {
		name, local := strings.ToLower(m[1]), m[2] != ""
		if name == "url" && !local || name != "" && name != "url" && !functions[name] {
			return false
		}
	}
	return true
}
