package demo

import "strings"

// The shop's pictures are drawn here: a motif for each line of products, in the colours of the model. {c} is the main
// colour, {d} a darker and {l} a lighter one, {a} the accent.

// motif is the drawing of a product line on a sheet of 800 by 800.
func motif(code string) string {
	for _, m := range strings.Split(strings.TrimSpace(motifs+wornMotifs), "\n\n") {
		if name, drawing, _ := strings.Cut(m, "\n"); strings.TrimSpace(name) == code {
			return drawing
		}
	}
	return motif("GFT")
}

const motifs = `
LVO
<path d="M410 150 150 620h520z" fill="{c}"/><path d="M410 150 670 620H560z" fill="{d}"/><path d="M410 150 400 620H260z" fill="{l}" opacity=".55"/><path d="M410 150 340 620h150z" fill="{d}"/><path d="M410 220 372 620h40z" fill="{l}"/><path d="M410 150 380 96M410 150l30-58M410 150V84" stroke="{d}" stroke-width="9" stroke-linecap="round"/><path d="M430 120c-10-30 30-36 16-70s30-30 20-60" fill="none" stroke="#fff" stroke-width="12" stroke-linecap="round" opacity=".65"/><path d="M150 620l-40 22M670 620l40 22" stroke="{a}" stroke-width="9" stroke-linecap="round"/><path d="M200 530c140 40 280 40 420 0" fill="none" stroke="{a}" stroke-width="10" opacity=".8"/>

TNT
<path d="M120 610 400 210l280 400z" fill="{c}"/><path d="M400 210 680 610H560z" fill="{d}"/><path d="M400 210 330 610h140z" fill="{l}"/><path d="M400 330v280" stroke="{d}" stroke-width="6"/><path d="M400 210 90 640M400 210l310 430" stroke="{d}" stroke-width="7" stroke-linecap="round" opacity=".55"/><path d="M90 640v-24M710 640v-24" stroke="{a}" stroke-width="10" stroke-linecap="round"/>

SLB
<path d="M290 170c0-60 220-60 220 0l40 120-30 330c-6 60-234 60-240 0l-30-330z" fill="{c}"/><path d="M320 180c0-46 160-46 160 0 20 90-30 130-80 130s-100-40-80-130z" fill="{d}"/><path d="M345 190c0-34 110-34 110 0 10 60-20 84-55 84s-65-24-55-84z" fill="{l}"/><path d="M262 350c90 40 186 40 276 0M268 430c86 36 178 36 264 0M276 510c80 32 168 32 248 0M282 590c76 28 160 28 236 0" stroke="{d}" stroke-width="7" fill="none" opacity=".5"/><path d="M505 300 490 650" stroke="{a}" stroke-width="8" stroke-dasharray="4 10"/>

MAT
<rect x="300" y="150" width="200" height="430" rx="34" fill="{c}"/><path d="M320 220h160M320 280h160M320 340h160M320 400h160M320 460h160" stroke="{d}" stroke-width="14" opacity=".45"/><ellipse cx="400" cy="590" rx="120" ry="58" fill="{d}"/><ellipse cx="400" cy="582" rx="104" ry="46" fill="{l}"/><path d="M400 582m-66 0a66 30 0 1 0 132 0 46 22 0 1 0-92 0 26 12 0 1 0 52 0" fill="none" stroke="{d}" stroke-width="9"/><circle cx="470" cy="175" r="14" fill="{a}"/>

STV
<path d="M260 600 330 430h140l70 170" fill="none" stroke="{d}" stroke-width="26" stroke-linecap="round"/><rect x="320" y="390" width="160" height="60" rx="18" fill="{c}"/><path d="M280 330h240l-30 60H310z" fill="{l}"/><path d="M280 330 250 300M520 330l30-30M400 330v-40" stroke="{d}" stroke-width="16" stroke-linecap="round"/><path d="M400 190c54 60 60 96 34 130h-68c-26-40-4-70 34-130z" fill="{a}"/><path d="M400 250c24 28 26 48 14 70h-28c-12-22-8-42 14-70z" fill="#ffe2a8"/><path d="M480 420h110" stroke="{d}" stroke-width="14" stroke-linecap="round"/>

POT
<path d="M220 330h360v190c0 60-50 90-110 90H330c-60 0-110-30-110-90z" fill="{c}"/><path d="M220 330h360v60H220z" fill="{d}"/><path d="M200 300c0-30 400-30 400 0v34H200z" fill="{l}"/><circle cx="400" cy="262" r="24" fill="{a}"/><path d="M580 400c80-10 90 100-6 110" fill="none" stroke="{d}" stroke-width="20"/>

GAS
<path d="M270 340c0-90 260-90 260 0v220c0 60-260 60-260 0z" fill="{c}"/><path d="M270 420h260v90H270z" fill="{l}"/><path d="M400 436c26 30 28 46 16 62h-32c-12-16-10-32 16-62z" fill="{a}"/><rect x="365" y="220" width="70" height="66" rx="10" fill="{d}"/><ellipse cx="400" cy="222" rx="35" ry="10" fill="{l}"/><ellipse cx="400" cy="588" rx="130" ry="26" fill="{d}" opacity=".35"/>

MEL
<path d="M250 180h300l-14 440H264z" fill="{c}"/><path d="M250 180h300l-2 56H252z" fill="{d}"/><path d="M262 580h276l-2 40H264z" fill="{d}" opacity=".6"/><circle cx="400" cy="400" r="100" fill="{l}"/><path d="M330 400h140c0 50-30 76-70 76s-70-26-70-76z" fill="{d}"/><path d="M365 380c-12-20 12-30 0-52M400 380c-12-20 12-30 0-52M435 380c-12-20 12-30 0-52" fill="none" stroke="{a}" stroke-width="9" stroke-linecap="round"/>

BAR
<g transform="rotate(-18 400 400)"><path d="M150 320h500v160H150l-24-20 24-20-24-20 24-20-24-20 24-20-24-20z" fill="{c}"/><path d="M650 320l24 20-24 20 24 20-24 20 24 20-24 20 24 20-24 20z" fill="{d}"/><rect x="250" y="350" width="300" height="100" rx="18" fill="{l}"/><circle cx="310" cy="400" r="20" fill="{a}"/><circle cx="370" cy="390" r="14" fill="{d}"/><circle cx="425" cy="408" r="18" fill="{a}"/><circle cx="485" cy="396" r="13" fill="{d}"/></g>

LMP
<path d="M170 380c40-140 420-140 460 0" fill="none" stroke="{d}" stroke-width="46"/><path d="M170 380c30 150 430 150 460 0" fill="none" stroke="{d}" stroke-width="30" opacity=".5"/><rect x="300" y="280" width="200" height="150" rx="36" fill="{c}"/><circle cx="400" cy="355" r="62" fill="{l}"/><circle cx="400" cy="355" r="40" fill="#fff6cf"/><rect x="460" y="262" width="40" height="24" rx="8" fill="{a}"/>

LAN
<path d="M310 270c0-110 180-110 180 0" fill="none" stroke="{d}" stroke-width="14"/><path d="M290 270h220l20 60H270z" fill="{c}"/><rect x="290" y="330" width="220" height="200" rx="20" fill="#fff3c4"/><path d="M400 370c34 40 38 80 0 120-38-40-34-80 0-120z" fill="{a}"/><path d="M290 330v200M345 330v200M455 330v200M510 330v200" stroke="{d}" stroke-width="9" opacity=".6"/><path d="M260 530h280l20 70H240z" fill="{c}"/><path d="M240 600h320v20H240z" fill="{d}"/>

DPK
<path d="M330 200c0-70 140-70 140 0" fill="none" stroke="{d}" stroke-width="22"/><path d="M240 330c0-180 320-180 320 0v230c0 50-30 70-70 70H310c-40 0-70-20-70-70z" fill="{c}"/><path d="M280 420h240v150c0 24-16 34-34 34H314c-18 0-34-10-34-34z" fill="{d}"/><path d="M280 420h240v40H280z" fill="{l}"/><path d="M290 300c60-60 160-60 220 0" fill="none" stroke="{d}" stroke-width="9"/><rect x="384" y="440" width="32" height="54" rx="8" fill="{a}"/>

TPK
<path d="M270 180h260l26 90H244z" fill="{d}"/><rect x="250" y="240" width="300" height="390" rx="46" fill="{c}"/><path d="M270 170c40-50 220-50 260 0l16 70H254z" fill="{l}"/><rect x="196" y="380" width="60" height="180" rx="26" fill="{d}"/><rect x="544" y="380" width="60" height="180" rx="26" fill="{d}"/><path d="M330 240v390M470 240v390" stroke="{d}" stroke-width="14"/><rect x="300" y="430" width="200" height="130" rx="18" fill="{l}" opacity=".5"/><rect x="318" y="286" width="24" height="40" rx="6" fill="{a}"/><rect x="458" y="286" width="24" height="40" rx="6" fill="{a}"/><rect x="270" y="616" width="260" height="50" rx="25" fill="{a}" opacity=".9"/>

DRY
<path d="M270 270h260l10 310c2 60-282 60-280 0z" fill="{c}"/><path d="M270 270h60l-4 350c-40-6-66-20-66-40z" fill="{l}" opacity=".55"/><rect x="262" y="196" width="276" height="84" rx="20" fill="{d}"/><path d="M262 240h276" stroke="{l}" stroke-width="7"/><path d="M300 200c20-80 180-80 200 0" fill="none" stroke="{d}" stroke-width="18"/><rect x="376" y="126" width="48" height="34" rx="8" fill="{a}"/>

BTL
<path d="M320 290c0-50 40-60 40-100h80c0 40 40 50 40 100v300c0 40-160 40-160 0z" fill="{c}"/><path d="M320 400h160v120H320z" fill="{l}" opacity=".6"/><rect x="352" y="140" width="96" height="60" rx="14" fill="{d}"/><path d="M376 140c0-44 48-44 48 0" fill="none" stroke="{d}" stroke-width="14"/><path d="m366 490 34-56 20 30 10-12 20 38z" fill="{d}"/><path d="M344 300c0-30 24-44 30-70" stroke="#fff" stroke-width="10" opacity=".35" fill="none" stroke-linecap="round"/>

KNF
<g transform="rotate(-32 400 400)"><path d="M120 400c60-64 160-70 300-60v84H200c-40 0-64-10-80-24z" fill="#cfd6d8"/><path d="M120 400c30 16 60 24 90 24h210v-30H160z" fill="#a9b3b6"/><rect x="414" y="330" width="34" height="104" rx="8" fill="{a}"/><path d="M448 338c70-16 170-10 220 10 26 12 26 68 0 78-60 20-150 14-220-4z" fill="{c}"/><path d="M470 356c60-10 130-6 180 6" stroke="{l}" stroke-width="9" fill="none" opacity=".7"/><circle cx="640" cy="390" r="12" fill="{d}"/></g>

CMP
<rect x="250" y="150" width="300" height="500" rx="30" fill="{l}" opacity=".75"/><path d="M280 190h240M280 610h240" stroke="{d}" stroke-width="6" stroke-dasharray="14 10"/><circle cx="400" cy="420" r="130" fill="{d}"/><circle cx="400" cy="420" r="108" fill="#f7f4ea"/><path d="m400 330 28 90h-56z" fill="{a}"/><path d="m400 510 28-90h-56z" fill="{c}"/><circle cx="400" cy="420" r="12" fill="{d}"/><path d="M400 200v70m-18-40 18-30 18 30" stroke="{a}" stroke-width="10" fill="none" stroke-linecap="round"/>

GPS
<path d="M340 120h120l16 160H324zM324 520h152l-16 160H340z" fill="{d}"/><path d="M354 150h92M350 190h100M350 610h100M354 650h92" stroke="{c}" stroke-width="10" opacity=".6"/><circle cx="400" cy="400" r="160" fill="{c}"/><circle cx="400" cy="400" r="132" fill="#10201c"/><path d="M300 450c40-70 60 20 100-50s50-40 100-20" fill="none" stroke="{a}" stroke-width="10"/><path d="M340 330h60M340 350h36" stroke="#dfe9e4" stroke-width="9" stroke-linecap="round"/><rect x="552" y="366" width="26" height="68" rx="10" fill="{d}"/>

PLS
<path d="M300 170 240 650M500 170l60 480" stroke="{c}" stroke-width="16" stroke-linecap="round"/><path d="M291 240 276 360M509 240l15 120" stroke="{d}" stroke-width="20"/><path d="M296 130c30 0 34 20 30 110h-40c0-80-8-110 10-110zM504 130c-30 0-34 20-30 110h40c0-80 8-110-10-110z" fill="{d}"/><path d="M300 230c-50 20-60 60-30 70M500 230c50 20 60 60 30 70" fill="none" stroke="{a}" stroke-width="10"/><ellipse cx="246" cy="600" rx="40" ry="12" fill="{d}"/><ellipse cx="554" cy="600" rx="40" ry="12" fill="{d}"/>

ROP
<g fill="none" stroke-linecap="round"><path d="M280 250c-60 120-60 240 0 320M320 230c-50 130-50 260 0 360M360 220c-30 140-30 280 0 380M400 216v388M440 220c30 140 30 280 0 380M480 230c50 130 50 260 0 360M520 250c60 120 60 240 0 320" stroke="{c}" stroke-width="30"/><path d="M300 240c-50 130-50 250 0 340M400 216v388M500 240c50 130 50 250 0 340" stroke="{l}" stroke-width="6" stroke-dasharray="16 18"/><path d="M250 390c100 50 200 50 300 0M250 420c100 50 200 50 300 0" stroke="{d}" stroke-width="30"/><path d="M400 216c0-80 90-90 100-30" stroke="{d}" stroke-width="26"/></g>

CRD
<g fill="none" stroke="{c}" stroke-width="18" stroke-linecap="round"><circle cx="400" cy="400" r="180"/><circle cx="400" cy="400" r="150"/><circle cx="400" cy="400" r="120"/><circle cx="400" cy="400" r="90"/><path d="M520 534c60 50 90 60 120 50"/></g><path d="M400 210v120" stroke="{a}" stroke-width="40"/><g fill="none" stroke="{l}" stroke-width="5" stroke-dasharray="12 16"><circle cx="400" cy="400" r="180"/><circle cx="400" cy="400" r="120"/></g>

CAR
<path d="M330 200c-90 60-100 300-20 390 60 60 170 40 190-50l30-230c10-100-100-170-200-110z" fill="none" stroke="{c}" stroke-width="44"/><path d="M334 222c-60 60-70 250-10 340" fill="none" stroke="{l}" stroke-width="10" opacity=".8"/><path d="M520 320 500 520" stroke="{a}" stroke-width="42" stroke-linecap="round"/><path d="M515 380 506 460" stroke="{d}" stroke-width="10"/>

HLM
<path d="M170 480c0-180 110-280 240-280s220 100 220 250c0 30-20 40-50 40H200c-20 0-30-4-30-10z" fill="{c}"/><path d="M170 480c120-26 300-30 460-30v30c0 16-20 20-50 20H200c-20 0-30-8-30-20z" fill="{d}"/><g stroke="{d}" stroke-width="18" stroke-linecap="round"><path d="M320 300l-20 70M410 280v80M500 300l20 70"/></g><path d="M230 500c20 110 100 140 170 140s130-60 150-140" fill="none" stroke="{d}" stroke-width="16"/><rect x="376" y="622" width="50" height="34" rx="8" fill="{a}"/>

SNW
<g transform="rotate(14 400 400)"><path d="M300 150c60-70 130-70 190 0 40 120 30 250-10 330-20 80-20 130-80 170-60-40-70-90-90-170-40-80-50-210-10-330z" fill="none" stroke="{c}" stroke-width="30"/><path d="M320 220h150M306 300h180M306 480h180M340 560h120" stroke="{d}" stroke-width="14"/><rect x="320" y="330" width="150" height="120" rx="24" fill="{d}"/><path d="M330 370h130M330 410h130" stroke="{a}" stroke-width="16" stroke-linecap="round"/></g>

BCN
<path d="M300 210c60-120 140-120 200 0" fill="none" stroke="{d}" stroke-width="20"/><rect x="280" y="210" width="240" height="400" rx="46" fill="{c}"/><rect x="316" y="260" width="168" height="150" rx="16" fill="#13221e"/><path d="M400 290v70m-26-42 26-30 26 30" fill="none" stroke="{a}" stroke-width="12" stroke-linecap="round"/><path d="M340 390h60" stroke="#dfe9e4" stroke-width="10"/><circle cx="400" cy="510" r="52" fill="{d}"/><circle cx="400" cy="510" r="34" fill="{a}"/>

PRB
<g transform="rotate(20 400 400)"><path d="M340 120v560M400 120v560M460 120v560" stroke="{c}" stroke-width="20" stroke-linecap="round"/><path d="M340 240v60M340 420v60M400 200v60M400 380v60M460 260v60M460 440v60" stroke="{d}" stroke-width="20"/><path d="M340 120c20-60 100-60 120 0" fill="none" stroke="{a}" stroke-width="10"/><path d="m460 680 10 40-20 0z" fill="{d}"/></g>

SHV
<path d="M280 420h240l-20 190c-6 50-194 50-200 0z" fill="{c}"/><path d="M330 440 340 600M400 440v170M470 440 460 600" stroke="{d}" stroke-width="14" opacity=".6"/><path d="M400 440V190" stroke="{d}" stroke-width="34"/><path d="M320 180h160" stroke="{a}" stroke-width="40" stroke-linecap="round"/><path d="M280 420h240v26H280z" fill="{l}"/>

WAX
<path d="M250 330h300v210c0 50-300 50-300 0z" fill="{c}"/><ellipse cx="400" cy="330" rx="150" ry="46" fill="{l}"/><ellipse cx="400" cy="326" rx="118" ry="32" fill="{a}"/><path d="M290 326c30-90 190-90 220 0" fill="{a}"/><path d="M270 420c80 34 180 34 260 0v90c-80 34-180 34-260 0z" fill="{d}"/><path d="M330 470c20-26 30 26 50 0s30 26 50 0 30 26 50 0" fill="none" stroke="{l}" stroke-width="9"/>

SKP
<path d="M330 160 300 660M470 160l30 500" stroke="{c}" stroke-width="14" stroke-linecap="round"/><path d="M330 130c24 0 24 20 20 100h-32c0-70-6-100 12-100zM470 130c-24 0-24 20-20 100h32c0-70 6-100-12-100z" fill="{d}"/><path d="M330 200c-60 10-80 70-34 90M470 200c60 10 80 70 34 90" fill="none" stroke="{a}" stroke-width="12"/><path d="M270 610h64l-10 26h-44zM466 610h64l-10 26h-44z" fill="{a}"/>

WSH
<path d="M300 300c0-50 60-50 60-100h80c0 50 60 50 60 100v280c0 40-200 40-200 0z" fill="{c}"/><rect x="356" y="140" width="88" height="70" rx="12" fill="{d}"/><rect x="320" y="360" width="160" height="170" rx="14" fill="{l}"/><path d="M400 380c50 64 56 90 40 118-20 30-60 30-80 0-16-28-10-54 40-118z" fill="{a}"/>

RPR
<rect x="190" y="290" width="420" height="280" rx="40" fill="{c}"/><path d="M190 400h420" stroke="{d}" stroke-width="12"/><path d="M190 400h420" stroke="{l}" stroke-width="4" stroke-dasharray="8 8"/><rect x="560" y="384" width="50" height="32" rx="8" fill="{a}"/><path d="M340 290c0-60 120-60 120 0" fill="none" stroke="{d}" stroke-width="20"/><path d="M400 440v90M355 485h90" stroke="{l}" stroke-width="30" stroke-linecap="round"/>

SVC
<circle cx="400" cy="400" r="200" fill="{l}"/><path d="M290 530 450 350c-20-60 20-120 90-110l-50 56 12 40 42 10 52-52c14 70-46 120-110 100L330 570c-30 20-66-14-40-40z" fill="{c}"/><circle cx="318" cy="546" r="12" fill="{a}"/><path d="m260 270 60-30 90 110-40 40z" fill="{d}"/>

GFT
<rect x="150" y="260" width="500" height="310" rx="26" fill="{c}"/><path d="M150 470 300 350l90 80 60-50 200 150v14c0 14-12 26-26 26H176c-14 0-26-12-26-26z" fill="{d}"/><path d="M520 260v310" stroke="{a}" stroke-width="34"/><path d="M520 300c-70-90-120-20-60 10l60 10 60-10c60-30 10-100-60-10z" fill="{a}"/><circle cx="240" cy="330" r="30" fill="{l}"/>
`

const wornMotifs = `
JKS
<path d="M300 190c30-50 170-50 200 0l110 60 60 290-90 26-40-170v240c-60 26-220 26-280 0V396l-40 170-90-26 60-290z" fill="{c}"/><path d="M300 190c10-80 190-80 200 0 0 60-60 84-100 84s-100-24-100-84z" fill="{d}"/><path d="M330 196c10-50 130-50 140 0-10 40-40 52-70 52s-60-12-70-52z" fill="{l}"/><path d="M400 274v380" stroke="{a}" stroke-width="10"/><path d="M300 480l60-30v100M500 480l-60-30v100" fill="none" stroke="{d}" stroke-width="9"/><path d="M260 636c60 26 220 26 280 0" stroke="{d}" stroke-width="12" fill="none"/>

JKD
<path d="M310 190h180l120 60 64 290-94 26-40-150v220c-60 26-220 26-280 0V416l-40 150-94-26 64-290z" fill="{c}"/><path d="M262 300c90 30 186 30 276 0M260 376c90 30 190 30 280 0M260 452c90 30 190 30 280 0M260 528c90 30 190 30 280 0M260 600c90 30 190 30 280 0M170 400l80 24M152 476l82 24M630 400l-80 24M648 476l-82 24" stroke="{d}" stroke-width="9" fill="none" opacity=".6"/><path d="M310 190c20-60 160-60 180 0-10 40-170 40-180 0z" fill="{d}"/><path d="M400 220v424" stroke="{a}" stroke-width="10"/><path d="M290 240c-20 60-30 200-20 380" stroke="{l}" stroke-width="12" fill="none" opacity=".5"/>

JKW
<path d="M310 200h180l110 60 60 280-84 26-36-150v220c-60 20-220 20-280 0V416l-36 150-84-26 60-280z" fill="{c}"/><path d="M260 260 400 420l140-160-50-60H310z" fill="{l}"/><path d="M310 200c20-70 160-70 180 0-20 50-160 50-180 0z" fill="{d}"/><path d="M400 236v170" stroke="{a}" stroke-width="10"/><path d="M300 500h200v70H300z" fill="none" stroke="{d}" stroke-width="8"/>

TRH
<path d="M290 160h220l40 490h-110l-40-330-40 330H250z" fill="{c}"/><path d="M290 160h220l4 46H286z" fill="{d}"/><path d="M282 260l-10 110h70l6-110zM518 260l10 110h-70l-6-110z" fill="{d}" opacity=".6"/><path d="M400 206v114" stroke="{d}" stroke-width="7"/><rect x="376" y="166" width="48" height="32" rx="6" fill="{a}"/><path d="M262 500h104M434 500h104" stroke="{d}" stroke-width="7" opacity=".6"/>

TRR
<path d="M290 160h220l44 490H438l-38-330-38 330H246z" fill="{c}"/><path d="M290 160h220l4 40H286z" fill="{d}"/><path d="M270 230 250 640M530 230l20 410" stroke="{a}" stroke-width="8"/><path d="M320 220c-10 140-20 280-24 420M480 220c10 140 20 280 24 420" stroke="{l}" stroke-width="12" opacity=".45"/>

BLT
<path d="M310 190h180l110 60 50 270-80 20-36-140v240H266V400l-36 140-80-20 50-270z" fill="{c}"/><path d="M336 190c10 60 118 60 128 0" fill="none" stroke="{d}" stroke-width="16"/><path d="M266 600h268M154 500l78 20M646 500l-78 20" stroke="{d}" stroke-width="9" opacity=".7"/><path d="M266 360h268M266 386h268" stroke="{a}" stroke-width="9"/>

BLB
<path d="M300 150h200l30 500h-84l-46-340-46 340h-84z" fill="{c}"/><path d="M300 150h200l3 42H297z" fill="{d}"/><path d="M276 560h90M434 560h90" stroke="{a}" stroke-width="10"/><path d="M400 200v110" stroke="{d}" stroke-width="7"/><path d="M320 220 300 630M480 220l20 410" stroke="{l}" stroke-width="9" opacity=".5"/>

FLC
<path d="M310 200h180l116 60 56 280-86 22-40-160v230c-60 20-212 20-272 0V402l-40 160-86-22 56-280z" fill="{c}"/><path d="M310 200c10-56 170-56 180 0l-10 60H320z" fill="{d}"/><path d="M400 250v170" stroke="{a}" stroke-width="12"/><rect x="430" y="350" width="80" height="90" rx="10" fill="{d}"/><g fill="{l}" opacity=".5"><circle cx="300" cy="330" r="7"/><circle cx="330" cy="420" r="7"/><circle cx="290" cy="500" r="7"/><circle cx="360" cy="540" r="7"/><circle cx="450" cy="520" r="7"/><circle cx="500" cy="580" r="7"/><circle cx="330" cy="590" r="7"/><circle cx="480" cy="300" r="7"/></g>

GLV
<g transform="rotate(-12 280 420)"><path d="M200 300c0-130 170-130 170 0v80c40-40 80 0 50 50l-50 90v80H200z" fill="{c}"/><rect x="190" y="580" width="190" height="70" rx="20" fill="{d}"/><path d="M215 330c40 20 100 20 140 0" stroke="{a}" stroke-width="12" fill="none"/></g><g transform="translate(800 0) scale(-1 1) rotate(-12 280 420)"><path d="M200 300c0-130 170-130 170 0v80c40-40 80 0 50 50l-50 90v80H200z" fill="{c}"/><rect x="190" y="580" width="190" height="70" rx="20" fill="{d}"/><path d="M215 330c40 20 100 20 140 0" stroke="{a}" stroke-width="12" fill="none"/></g>

HAT
<path d="M210 520c-20-260 120-320 190-320s210 60 190 320z" fill="{c}"/><path d="M300 230c-40 80-50 190-46 290M400 200v320M500 230c40 80 50 190 46 290" stroke="{d}" stroke-width="8" fill="none" opacity=".45"/><rect x="190" y="490" width="420" height="120" rx="40" fill="{d}"/><path d="M240 500v100M290 500v104M340 500v106M400 500v106M460 500v106M510 500v104M560 500v100" stroke="{c}" stroke-width="8" opacity=".7"/><circle cx="400" cy="180" r="58" fill="{a}"/>

SCK
<g id="s"><path d="M250 150h120v240l90 110c40 60-20 130-90 90L260 500c-14-12-10-30-10-60z" fill="{c}"/><path d="M250 150h120v50H250z" fill="{d}"/><path d="M250 250h120M250 290h120" stroke="{a}" stroke-width="14"/><path d="M250 440c40-10 70 10 70 50l-50 20c-16-10-20-40-20-70zM400 424l60 76c30 50-10 110-70 100 30-60 20-110 10-176z" fill="{l}" opacity=".75"/></g><use href="#s" x="160" y="40" opacity=".9"/>

BTS
<path d="M270 170h190l6 180c100 40 190 60 200 150v70H250c-20-130-4-260 20-400z" fill="{c}"/><path d="M240 560h436v40c0 24-20 34-40 34H264c-20 0-30-10-28-30z" fill="{d}"/><path d="M270 170h190l2 50H262z" fill="{d}"/><path d="M360 250l100-16M354 300l110-16M352 350l116-10M390 400l96-30" stroke="{a}" stroke-width="12" stroke-linecap="round"/><path d="M560 440c50 10 80 30 90 60l-130 20c-10-40 10-70 40-80z" fill="{l}" opacity=".6"/><path d="M270 634v20M330 634v20M390 634v20M450 634v20M510 634v20M570 634v20M630 634v20" stroke="{d}" stroke-width="26"/>

BTL2
<path d="M280 230h170l14 130c100 36 196 50 206 140v70H250c-14-120 4-240 30-340z" fill="{c}"/><path d="M240 560h440v34c0 24-20 34-40 34H266c-22 0-30-10-28-28z" fill="{d}"/><path d="M280 230h170l4 44H270z" fill="{d}"/><path d="M360 310l96-16M356 360l112-14M400 410l90-30" stroke="{a}" stroke-width="12" stroke-linecap="round"/><path d="M262 460c120 40 250 40 400 10" stroke="{l}" stroke-width="16" fill="none" opacity=".7"/><path d="M250 596h430" stroke="{l}" stroke-width="8" stroke-dasharray="30 14" opacity=".6"/>

SHT
<path d="M170 560c-16-100 10-190 60-230 40 50 110 60 170 20 70 80 180 100 240 140 30 20 36 50 30 80z" fill="{c}"/><path d="M160 556h514c10 50-20 70-60 70H220c-40 0-66-20-60-70z" fill="{d}"/><path d="M396 354c-30 40-60 70-100 90M430 386c-30 36-60 64-100 84M466 410c-26 34-56 60-90 76" stroke="{a}" stroke-width="12" stroke-linecap="round"/><path d="M190 470c40 50 120 70 200 60" stroke="{l}" stroke-width="16" fill="none"/><path d="M200 626l20 18 24-18 24 18 24-18 24 18 24-18 24 18 24-18 24 18 24-18 24 18 24-18 24 18 24-18 24 18 24-18" fill="none" stroke="{d}" stroke-width="12"/>

SLP
<path d="M170 540c10-90 90-150 190-160 110-10 260 60 290 160z" fill="{c}"/><path d="M150 530h520c16 60-20 80-70 80H220c-50 0-86-20-70-80z" fill="{d}"/><path d="M170 540c10-90 90-150 170-158 30 60 20 120-30 158z" fill="{l}"/><circle cx="470" cy="440" r="22" fill="{a}"/><path d="M380 400c90 0 180 50 220 110" stroke="{d}" stroke-width="7" fill="none" stroke-dasharray="10 12"/>

HRN
<path d="M220 270h360v60H220z" fill="{c}"/><path d="M220 300h360" stroke="{l}" stroke-width="8" stroke-dasharray="14 10"/><rect x="360" y="256" width="80" height="88" rx="14" fill="{d}"/><path d="M270 330c-80 120-60 260 30 280s110-120 60-270M530 330c80 120 60 260-30 280s-110-120-60-270" fill="none" stroke="{c}" stroke-width="44"/><path d="M400 344v120" stroke="{a}" stroke-width="28" stroke-linecap="round"/><path d="M220 330v60M580 330v60" stroke="{d}" stroke-width="16"/>
`
