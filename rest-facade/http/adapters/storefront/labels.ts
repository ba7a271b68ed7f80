/** Words of the storefront's pages. */
export interface Labels {
  readonly listings: string;
  readonly search: string;
  readonly find: string;
  readonly results: string;
  readonly more: string;
  readonly noListings: string;
  readonly onRequest: string;
  readonly negotiable: string;
  readonly lowestPrice: string;
  readonly facts: string;
  readonly description: string;
  readonly seller: string;
  readonly privateSeller: string;
  readonly place: string;
  readonly phone: string;
  readonly locations: string;
  readonly website: string;
  readonly yes: string;
  readonly no: string;
}

const english: Labels = {
  listings: 'Listings',
  search: 'Search the listings',
  find: 'Search',
  results: 'listings',
  more: 'Next page',
  noListings: 'No listing matches.',
  onRequest: 'Price on request',
  negotiable: 'negotiable',
  lowestPrice: 'Lowest price of the last 30 days:',
  facts: 'Facts',
  description: 'Description',
  seller: 'Seller',
  privateSeller: 'Private seller',
  place: 'Place',
  phone: 'Phone',
  locations: 'Locations',
  website: 'Website',
  yes: 'yes',
  no: 'no',
};

const german: Labels = {
  listings: 'Anzeigen',
  search: 'Anzeigen durchsuchen',
  find: 'Suchen',
  results: 'Anzeigen',
  more: 'Nächste Seite',
  noListings: 'Keine Anzeige gefunden.',
  onRequest: 'Preis auf Anfrage',
  negotiable: 'verhandelbar',
  lowestPrice: 'Niedrigster Preis der letzten 30 Tage:',
  facts: 'Daten',
  description: 'Beschreibung',
  seller: 'Verkäufer',
  privateSeller: 'Privater Verkäufer',
  place: 'Ort',
  phone: 'Telefon',
  locations: 'Standorte',
  website: 'Website',
  yes: 'ja',
  no: 'nein',
};

const french: Labels = {
  listings: 'Annonces',
  search: 'Rechercher dans les annonces',
  find: 'Rechercher',
  results: 'annonces',
  more: 'Page suivante',
  noListings: 'Aucune annonce ne correspond.',
  onRequest: 'Prix sur demande',
  negotiable: 'négociable',
  lowestPrice: 'Prix le plus bas des 30 derniers jours :',
  facts: 'Données',
  description: 'Description',
  seller: 'Vendeur',
  privateSeller: 'Vendeur particulier',
  place: 'Lieu',
  phone: 'Téléphone',
  locations: 'Adresses',
  website: 'Site web',
  yes: 'oui',
  no: 'non',
};

const spanish: Labels = {
  listings: 'Anuncios',
  search: 'Buscar en los anuncios',
  find: 'Buscar',
  results: 'anuncios',
  more: 'Página siguiente',
  noListings: 'Ningún anuncio coincide.',
  onRequest: 'Precio a consultar',
  negotiable: 'negociable',
  lowestPrice: 'Precio más bajo de los últimos 30 días:',
  facts: 'Datos',
  description: 'Descripción',
  seller: 'Vendedor',
  privateSeller: 'Vendedor particular',
  place: 'Lugar',
  phone: 'Teléfono',
  locations: 'Ubicaciones',
  website: 'Sitio web',
  yes: 'sí',
  no: 'no',
};

/** Labels by language. */
export const labels: Readonly<Record<string, Labels>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

/** Returns the labels of a language; English for every other one. */
export function labelsOf(language: string): Labels {
  return labels[language] ?? english;
}
