import { toKeyphraseKey, toTextKey } from '../../engine/toKey.ts';
import type { SeoFields, SeoKeys } from './model.ts';

/** The fields that have keys. */
export type KeyedFields = Pick<SeoFields, 'keyphrase' | 'seoTitle' | 'metaDescription'>;

/** Returns the keys by which objects with equal fields are found. */
export function toKeys({ keyphrase, seoTitle, metaDescription }: KeyedFields, locale: string): SeoKeys {
  return {
    keyphrase: toKeyphraseKey(keyphrase, locale),
    seoTitle: toTextKey(seoTitle),
    metaDescription: toTextKey(metaDescription),
  };
}
