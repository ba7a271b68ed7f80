/** An amount of money in minor units. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** An image of a public record. */
export interface Picture {
  readonly altText: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly renditions: readonly {
    readonly name: string;
    readonly format: string;
    readonly width: number;
    readonly height: number;
    readonly url: string;
  }[];
}

/** A listing in a list. */
export interface ListingCard {
  readonly url: string;
  readonly title: string;
  readonly price: Money | null;
  readonly location: { readonly city: string | null; readonly country: string | null } | null;
  readonly cover: Picture | null;
}

/** A schema of an attribute, as the category publishes it. */
export interface AttributeSchema {
  readonly description?: string;
  readonly unit?: string;
  readonly private?: boolean;
  readonly valueLabels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Category of a listing. */
interface Category {
  readonly attributeSchema: {
    readonly productType?: string;
    readonly properties?: Readonly<Record<string, AttributeSchema>>;
  } | null;
}

/** The dealer of a listing. */
interface Seller {
  readonly url: string;
  readonly tradeName: string;
  readonly contactPhone: string | null;
  readonly logo: Picture | null;
}

/** Links to the versions of a page in other languages. */
export type Alternates = readonly { readonly hreflang: string; readonly href: string }[] | null;

/** Texts in the language of the reader; null if the own texts are shown. */
interface Translated<Fields> {
  readonly translation: { readonly languageCode: string; readonly fields: Fields | null } | null;
}

/** A published listing. */
export interface Listing extends ListingCard {
  readonly description: string;
  readonly descriptionHtml: string;
  readonly languageTag: string;
  readonly category: Category | null;
  readonly condition: string;
  readonly priceType: string;
  readonly lowestPrice30d: Money | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly seller: { readonly name: string; readonly dealer: Seller | null };
  readonly contactPhone: string | null;
  readonly images: readonly Picture[];
  readonly publishedAt: string;
  readonly translation: Translated<{
    title: string | null;
    description: string | null;
    descriptionHtml: string | null;
  }> | null;
  readonly alternates: Alternates;
}

/** A postal address. */
interface Address {
  readonly line1: string;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
}

/** An active dealer. */
export interface Dealer {
  readonly url: string;
  readonly tradeName: string;
  readonly legalName: string | null;
  readonly description: string | null;
  readonly descriptionHtml: string | null;
  readonly website: string | null;
  readonly contactPhone: string | null;
  readonly address: Address | null;
  readonly logo: Picture | null;
  readonly activeListings: number;
  readonly locations: readonly {
    readonly name: string;
    readonly address: Address;
    readonly phone: string | null;
    readonly openingHours: readonly {
      readonly day: string;
      readonly opens: string;
      readonly closes: string;
    }[];
  }[];
}

/** A published page or post. */
export interface TextPage {
  readonly kind: 'PAGE' | 'POST';
  readonly url: string;
  readonly title: string;
  readonly html: string | null;
  readonly languageTag: string;
  readonly publishedAt: string | null;
  readonly translation: Translated<{ title: string | null; html: string | null }> | null;
  readonly alternates: Alternates;
}

const picture = 'altText width height renditions { name format width height url }';
const card = `url title price { amount currency } location { city country } cover { ${picture} }`;
const address = 'line1 postalCode city country';

/** Operations of the pages, by name. All of them are public. */
export const operations = {
  storefrontListing: `query storefrontListing($slug: ID!, $accepted: String) {
    catalogListing(listingId: $slug) {
      ${card} description descriptionHtml languageTag category { attributeSchema } condition priceType attributes contactPhone publishedAt
      lowestPrice30d { amount currency }
      seller { name dealer { url tradeName contactPhone logo { ${picture} } } } images { ${picture} }
      translation(language: "auto", acceptLanguage: $accepted) { translation { languageCode fields { title description descriptionHtml } } }
      alternates { hreflang href }
    }
  }`,
  storefrontDealer: `query storefrontDealer($slug: ID!, $dealerIds: [ID!]) {
    catalogDealer(dealerId: $slug) {
      url tradeName legalName description descriptionHtml website contactPhone activeListings
      address { ${address} } logo { ${picture} }
      locations { name phone address { ${address} } openingHours { day opens closes } }
    }
    catalogListings(dealerId: $dealerIds, first: 24) { nodes { ${card} } }
  }`,
  storefrontDealerId: `query storefrontDealerId($id: ID!) {
    catalogDealer(dealerId: $id) { id }
  }`,
  storefrontListings: `query storefrontListings($q: String, $after: String) {
    catalogListings(q: $q, after: $after, first: 24, count: true) {
      totalCountText nodes { ${card} } pageInfo { hasNextPage endCursor }
    }
  }`,
  storefrontText: `query storefrontText($slug: String!, $accepted: String) {
    page(slug: $slug) {
      kind url title html languageTag publishedAt
      translation(language: "auto", acceptLanguage: $accepted) { translation { languageCode fields { title html } } }
      alternates { hreflang href }
    }
  }`,
} as const;

/** Name of an operation of the pages. */
export type OperationName = keyof typeof operations;
