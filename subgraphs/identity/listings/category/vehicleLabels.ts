import type { Labels } from './model.ts';

const languages = ['en', 'de', 'fr', 'es'] as const;

/** Returns labels by value from texts in the order of `languages`, separated by `|`. */
function inLanguages(texts: Readonly<Record<string, string>>): Record<string, Labels> {
  const toLabels = (text: string): Labels =>
    Object.fromEntries(text.split('|').map((label, index) => [languages[index] ?? 'und', label]));
  return Object.fromEntries(Object.entries(texts).map(([value, text]) => [value, toLabels(text)]));
}

/** Labels of enum values as they are read in the middle of a sentence, by attribute. */
export const vehicleLabels: Readonly<Record<string, Record<string, Labels>>> = {
  fuel: inLanguages({
    petrol: 'petrol|Benzin|essence|gasolina',
    diesel: 'diesel|Diesel|diesel|diésel',
    electric: 'electric|Elektro|électrique|eléctrico',
    hybrid: 'hybrid|Hybrid|hybride|híbrido',
    plug_in_hybrid: 'plug-in hybrid|Plug-in-Hybrid|hybride rechargeable|híbrido enchufable',
    lpg: 'LPG|Autogas|GPL|GLP',
    cng: 'CNG|Erdgas|GNV|GNC',
    hydrogen: 'hydrogen|Wasserstoff|hydrogène|hidrógeno',
    ethanol: 'ethanol|Ethanol|éthanol|etanol',
  }),
  transmission: inLanguages({
    manual: 'manual|Schaltgetriebe|boîte manuelle|cambio manual',
    automatic: 'automatic|Automatik|boîte automatique|cambio automático',
    semi_automatic: 'semi-automatic|Halbautomatik|boîte semi-automatique|cambio semiautomático',
  }),
  driveType: inLanguages({
    front: 'front-wheel drive|Frontantrieb|traction|tracción delantera',
    rear: 'rear-wheel drive|Heckantrieb|propulsion|tracción trasera',
    all: 'all-wheel drive|Allradantrieb|transmission intégrale|tracción total',
  }),
  bodyType: inLanguages({
    saloon: 'saloon|Limousine|berline|berlina',
    estate: 'estate|Kombi|break|familiar',
    hatchback: 'hatchback|Schräghecklimousine|compacte|compacto',
    suv: 'SUV|SUV|SUV|SUV',
    coupe: 'coupe|Coupé|coupé|cupé',
    convertible: 'convertible|Cabrio|cabriolet|descapotable',
    minivan: 'people carrier|Van|monospace|monovolumen',
    pickup: 'pickup|Pick-up|pick-up|pickup',
    van: 'van|Kastenwagen|fourgon|furgón',
  }),
  exteriorColor: inLanguages({
    beige: 'beige|Beige|beige|beis',
    black: 'black|Schwarz|noir|negro',
    blue: 'blue|Blau|bleu|azul',
    bronze: 'bronze|Bronze|bronze|bronce',
    brown: 'brown|Braun|marron|marrón',
    gold: 'gold|Gold|or|dorado',
    green: 'green|Grün|vert|verde',
    grey: 'grey|Grau|gris|gris',
    orange: 'orange|Orange|orange|naranja',
    pink: 'pink|Rosa|rose|rosa',
    purple: 'purple|Violett|violet|morado',
    red: 'red|Rot|rouge|rojo',
    silver: 'silver|Silber|argent|plateado',
    turquoise: 'turquoise|Türkis|turquoise|turquesa',
    white: 'white|Weiß|blanc|blanco',
    yellow: 'yellow|Gelb|jaune|amarillo',
  }),
};

/** Names of makers that are not their reference with capitals. They are the same in every language. */
export const makerLabels: Readonly<Record<string, Labels>> = Object.fromEntries(
  `BMW BYD CUPRA DFSK DS GMC KTM MAN MG MINI NIO SEAT VDL XPENG Mercedes-Benz Rolls-Royce Harley-Davidson McLaren
  SsangYong DeLorean DAF BSA MZ TVR SWM CFMOTO`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), { und: name }]),
);

/** Unit in which readers expect the power of an engine; the factor converts kilowatts. */
export const horsepower = {
  factor: 1.359_62,
  names: {
    en: 'hp',
    de: 'PS',
    fr: 'ch',
    es: 'CV',
    it: 'CV',
    nl: 'pk',
    pt: 'cv',
    pl: 'KM',
    sv: 'hk',
    da: 'hk',
  },
} as const;
