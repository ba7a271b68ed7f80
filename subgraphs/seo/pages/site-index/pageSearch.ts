import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { SeoKeys, StoredSeoRecord } from '../record/model.ts';
import { recordsOf } from '../record/records.ts';
import { findByKeys, type Likeness } from './findByKeys.ts';
import { type SeoPage, SeoPageModel } from './model.ts';

/** Maximum number of equal pages; more give no further information. */
const mostEqual = 20;
const mostSimilar = 25;

/** A key of SEO fields in a language. */
export interface FieldKey {
  readonly locale: string;
  readonly key: string;
}

type Field = keyof SeoKeys;

/** Searches pages and SEO fields; queries of several pages are batched. */
export interface PageSearch {
  /** SEO fields with this key; a few of them if there are many. */
  readonly byField: Readonly<Record<Field, DataLoader<FieldKey, StoredSeoRecord[]>>>;
  /** Published pages of this title. */
  readonly byTitle: DataLoader<string, SeoPage[]>;
  /** Published pages whose fingerprint has this quarter. */
  readonly byBand: DataLoader<string, SeoPage[]>;
  readonly byAddress: DataLoader<string, SeoPage[]>;
  readonly byId: DataLoader<string, SeoPage | null>;
  /** SEO fields of an object in a language. */
  readonly fieldsOf: DataLoader<FieldKey, StoredSeoRecord | null>;
}

/** Returns the search of a request. Nothing is cached, because the same request may write other fields. */
export function pageSearchOf(context: RequestContext): PageSearch {
  return context.loader(openPageSearch);
}

function openPageSearch(context: RequestContext): PageSearch {
  const collection = scoped(SeoPageModel, context.installationId);
  const pages = (likeness: Pick<Likeness<SeoPage>, 'filter' | 'keysOf' | 'most'>) =>
    loaderOf<string, SeoPage[]>(async (keys) => {
      const found = await findByKeys({ collection, projection: shown, ...likeness }, keys);
      return (key) => found.get(key) ?? [];
    });
  return {
    byField: {
      keyphrase: fieldLoader(context, 'keyphrase'),
      seoTitle: fieldLoader(context, 'seoTitle'),
      metaDescription: fieldLoader(context, 'metaDescription'),
    },
    byTitle: pages({
      filter: (keys) => ({ titleKey: { $in: [...keys] }, visibility: 'PUBLIC' }),
      keysOf: ({ titleKey }) => [titleKey],
      most: mostEqual,
    }),
    byBand: pages({
      filter: (keys) => ({ bands: { $in: [...keys] }, visibility: 'PUBLIC' }),
      keysOf: ({ bands }) => bands,
      most: mostSimilar,
    }),
    // A URL belongs to one object, except briefly while it is reassigned.
    byAddress: pages({
      filter: (keys) => ({ address: { $in: [...keys] } }),
      keysOf: ({ address }) => [address],
      most: 3,
    }),
    byId: loaderOf(async (ids) => {
      const found = await collection.find({ _id: { $in: [...ids] } }, { projection: shown });
      const byId = new Map(found.map((page) => [page._id, page]));
      return (id) => byId.get(id) ?? null;
    }),
    fieldsOf: loaderOf(async (keys) => {
      const found = await recordsOf(context).find(
        {
          objectType: { $in: ['listing', 'dealer', 'page'] },
          objectId: { $in: keys.map(({ key }) => key) },
          locale: { $in: [...new Set(keys.map(({ locale }) => locale))] },
        },
        { projection: { objectId: 1, locale: 1, keys: 1, noindex: 1, canonicalUrl: 1 } },
      );
      const byKey = new Map(found.map((record) => [`${record.locale} ${record.objectId}`, record]));
      return ({ locale, key }) => byKey.get(`${locale} ${key}`) ?? null;
    }),
  };
}

const shown = {
  objectId: 1,
  languageTag: 1,
  visibility: 1,
  address: 1,
  titleKey: 1,
  fingerprint: 1,
  bands: 1,
  goneLinks: 1,
} as const;

/** Returns a loader with one command for each requested language. */
function fieldLoader(context: RequestContext, field: Field): DataLoader<FieldKey, StoredSeoRecord[]> {
  const collection = recordsOf(context);
  return loaderOf(async (asked) => {
    const languages = Map.groupBy(asked, ({ locale }) => locale);
    const found = new Map<string, Map<string, StoredSeoRecord[]>>();
    await Promise.all(
      [...languages].map(async ([locale, own]) => {
        const likeness: Likeness<StoredSeoRecord> = {
          collection,
          filter: (keys) => ({ locale, [`keys.${field}`]: { $in: [...keys] } }),
          keysOf: ({ keys }) => [keys?.[field] ?? null],
          most: mostEqual,
          projection: { objectId: 1, locale: 1, keys: 1 },
        };
        const ofLanguage = await findByKeys(
          likeness,
          own.map(({ key }) => key),
        );
        found.set(locale, ofLanguage);
      }),
    );
    return ({ locale, key }) => found.get(locale)?.get(key) ?? [];
  });
}

function loaderOf<K, V>(read: (keys: readonly K[]) => Promise<(key: K) => V>): DataLoader<K, V> {
  return new DataLoader(
    async (keys) => {
      const valueOf = await read(keys);
      return keys.map((key) => valueOf(key));
    },
    { cache: false },
  );
}
