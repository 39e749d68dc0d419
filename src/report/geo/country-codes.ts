import { addName, type Places, placeKey } from './places.js';

/** ISO 3166 alpha-2, alpha-3 and numeric codes of all countries with a shape. */
const codes =
  'AEARE784 AFAFG004 ALALB008 AMARM051 AOAGO024 AQATA010 ARARG032 ATAUT040 AUAUS036 AZAZE031 BABIH070 BDBGD050 ' +
  'BEBEL056 BFBFA854 BGBGR100 BIBDI108 BJBEN204 BNBRN096 BOBOL068 BRBRA076 BSBHS044 BTBTN064 BWBWA072 BYBLR112 ' +
  'BZBLZ084 CACAN124 CDCOD180 CFCAF140 CGCOG178 CHCHE756 CICIV384 CLCHL152 CMCMR120 CNCHN156 COCOL170 CRCRI188 ' +
  'CUCUB192 CYCYP196 CZCZE203 DEDEU276 DJDJI262 DKDNK208 DODOM214 DZDZA012 ECECU218 EEEST233 EGEGY818 EHESH732 ' +
  'ERERI232 ESESP724 ETETH231 FIFIN246 FJFJI242 FKFLK238 FRFRA250 GAGAB266 GBGBR826 GEGEO268 GHGHA288 GLGRL304 ' +
  'GMGMB270 GNGIN324 GQGNQ226 GRGRC300 GTGTM320 GWGNB624 GYGUY328 HNHND340 HRHRV191 HTHTI332 HUHUN348 IDIDN360 ' +
  'IEIRL372 ILISR376 ININD356 IQIRQ368 IRIRN364 ISISL352 ITITA380 JMJAM388 JOJOR400 JPJPN392 KEKEN404 KGKGZ417 ' +
  'KHKHM116 KPPRK408 KRKOR410 KWKWT414 KZKAZ398 LALAO418 LBLBN422 LKLKA144 LRLBR430 LSLSO426 LTLTU440 LULUX442 ' +
  'LVLVA428 LYLBY434 MAMAR504 MDMDA498 MEMNE499 MGMDG450 MKMKD807 MLMLI466 MMMMR104 MNMNG496 MRMRT478 MWMWI454 ' +
  'MXMEX484 MYMYS458 MZMOZ508 NANAM516 NCNCL540 NENER562 NGNGA566 NINIC558 NLNLD528 NONOR578 NPNPL524 NZNZL554 ' +
  'OMOMN512 PAPAN591 PEPER604 PGPNG598 PHPHL608 PKPAK586 PLPOL616 PRPRI630 PSPSE275 PTPRT620 PYPRY600 QAQAT634 ' +
  'ROROU642 RSSRB688 RURUS643 RWRWA646 SASAU682 SBSLB090 SDSDN729 SESWE752 SISVN705 SKSVK703 SLSLE694 SNSEN686 ' +
  'SOSOM706 SRSUR740 SSSSD728 SVSLV222 SYSYR760 SZSWZ748 TDTCD148 TFATF260 TGTGO768 THTHA764 TJTJK762 TLTLS626 ' +
  'TMTKM795 TNTUN788 TRTUR792 TTTTO780 TWTWN158 TZTZA834 UAUKR804 UGUGA800 USUSA840 UYURY858 UZUZB860 VEVEN862 ' +
  'VNVNM704 VUVUT548 YEYEM887 ZAZAF710 ZMZMB894 ZWZWE716';

/** The only country with a shape but without a numeric code; its id is the name of the shape. */
const unnumbered = { alpha2: 'XK', alpha3: 'XKX', id: 'Kosovo' };

/** Names in addition to those of `Intl` and of the shapes: ISO long names, and older or shorter names. */
const aliases: Readonly<Record<string, string>> = {
  AE: 'UAE',
  BN: 'Brunei Darussalam',
  BO: 'Bolivia, Plurinational State of',
  CD: 'Democratic Republic of the Congo|Congo, The Democratic Republic of the|DR Congo',
  CG: 'Republic of the Congo',
  CI: 'Ivory Coast',
  CN: "People's Republic of China|PRC",
  CZ: 'Czech Republic',
  FK: 'Falkland Islands (Malvinas)',
  GB: 'UK|Great Britain|Britain|United Kingdom of Great Britain and Northern Ireland',
  GM: 'Republic of The Gambia',
  IR: 'Iran, Islamic Republic of|Islamic Republic of Iran',
  KP: "Korea, Democratic People's Republic of|Democratic People's Republic of Korea|North Korea",
  KR: 'Korea, Republic of|Republic of Korea|Korea',
  LA: "Lao People's Democratic Republic|Lao PDR",
  MD: 'Moldova, Republic of|Republic of Moldova',
  MK: 'Republic of North Macedonia|North Macedonia',
  MM: 'Burma',
  NL: 'Holland|Netherlands, Kingdom of the',
  PS: 'Palestine, State of|State of Palestine',
  RU: 'Russian Federation',
  SY: 'Syrian Arab Republic',
  SZ: 'Swaziland',
  TL: 'East Timor',
  TR: 'Türkiye',
  TW: 'Taiwan, Province of China',
  TZ: 'Tanzania, United Republic of|United Republic of Tanzania',
  US: 'USA|U.S.A.|U.S.|United States of America|America',
  VE: 'Venezuela, Bolivarian Republic of',
  VN: 'Viet Nam',
};

/**
 * Creates a lookup of countries by ISO 3166 alpha-2, alpha-3 or numeric code (with or without leading zeros), or
 * English name.
 */
export function countryPlaces(shapeNames: ReadonlyMap<string, string>): Places {
  const ids = new Map<string, string>();
  const regions = new Map<string, string>();
  const english = displayNames('en');
  const entries = codes
    .split(' ')
    .map(code => ({ alpha2: code.slice(0, 2), alpha3: code.slice(2, 5), id: code.slice(5) }));
  for (const { alpha2, alpha3, id } of [...entries, unnumbered]) {
    regions.set(id, alpha2);
    for (const key of [alpha2, alpha3, id, String(Number(id))]) addName(ids, key, id);
    for (const name of [english(alpha2), shapeNames.get(id), ...(aliases[alpha2] ?? '').split('|')]) {
      if (name) addName(ids, name, id);
    }
  }
  return {
    find: text => ids.get(placeKey(text)) ?? null,
    name: (id, locale) => displayNames(locale)(regions.get(id) ?? '') ?? shapeNames.get(id) ?? id,
  };
}

/** Returns the names of countries in a language; `null` for a country without a name. */
function displayNames(locale: string): (alpha2: string) => string | null {
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region', fallback: 'none' });
  return alpha2 => (/^[A-Z]{2}$/.test(alpha2) ? (names.of(alpha2) ?? null) : null);
}
