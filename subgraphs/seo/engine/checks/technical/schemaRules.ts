import type { Profile } from '../../contract.ts';
import type { SchemaNode } from './readStructuredData.ts';

/** Required and recommended properties of a type; each entry is a list of alternatives. */
interface TypeRule {
  types: ReadonlySet<string>;
  required: readonly (readonly string[])[];
  recommended: readonly (readonly string[])[];
}

const identifiers = [
  'sku',
  'gtin',
  'gtin8',
  'gtin12',
  'gtin13',
  'gtin14',
  'mpn',
  'vehicleIdentificationNumber',
];

/** Main types per kind of page, with the properties that search engines document for them. */
const rules: Record<Profile, readonly TypeRule[]> = {
  article: [
    {
      types: new Set(
        'Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report LiveBlogPosting AdvertiserContentArticle'.split(
          ' ',
        ),
      ),
      required: [['headline']],
      recommended: [['image'], ['datePublished'], ['author']],
    },
    { types: new Set(['HowTo', 'Recipe']), required: [['name']], recommended: [['image']] },
  ],
  product: [
    {
      types: new Set(
        'Product ProductGroup ProductModel IndividualProduct SomeProducts Vehicle Car Motorcycle BusOrCoach MotorizedBicycle'.split(
          ' ',
        ),
      ),
      required: [['name'], ['offers', 'review', 'aggregateRating', 'hasVariant']],
      recommended: [['image'], ['brand', 'manufacturer'], identifiers],
    },
  ],
  collection: [
    { types: new Set(['ItemList', 'OfferCatalog']), required: [['itemListElement']], recommended: [] },
    {
      types: new Set(['CollectionPage', 'SearchResultsPage']),
      required: [['name', 'headline']],
      recommended: [['mainEntity', 'hasPart', 'description']],
    },
  ],
  page: [
    {
      types: new Set(
        'AutoDealer AutomotiveBusiness AutoRental AutoRepair LocalBusiness Store MotorcycleDealer'.split(' '),
      ),
      required: [['name'], ['address']],
      recommended: [
        ['telephone', 'email'],
        ['openingHours', 'openingHoursSpecification'],
        ['image', 'logo'],
      ],
    },
    { types: new Set(['FAQPage', 'QAPage']), required: [['mainEntity']], recommended: [] },
    {
      types: new Set('WebPage AboutPage ContactPage ProfilePage ItemPage Organization WebSite'.split(' ')),
      required: [['name', 'headline']],
      recommended: [['url', 'description']],
    },
  ],
};

function ruleFor(node: SchemaNode, profile: Profile): TypeRule | undefined {
  return rules[profile].find((rule) => node.types.some((type) => rule.types.has(type)));
}

export function isMainType(node: SchemaNode, profile: Profile): boolean {
  return ruleFor(node, profile) !== undefined;
}

/** Returns the type names for a kind of page, the most common first. */
export function mainTypes(profile: Profile): string[] {
  return rules[profile].flatMap((rule) => [...rule.types]);
}

/** Returns the properties that the node lacks, each named by its first alternative. */
export function missingProperties(
  node: SchemaNode,
  profile: Profile,
): { required: string[]; recommended: string[] } {
  const rule = ruleFor(node, profile);
  const missing = (groups: readonly (readonly string[])[]): string[] =>
    groups
      .filter((alternatives) => !alternatives.some((name) => node.properties.has(name)))
      .map((alternatives) => alternatives[0] ?? '');
  return { required: missing(rule?.required ?? []), recommended: missing(rule?.recommended ?? []) };
}
