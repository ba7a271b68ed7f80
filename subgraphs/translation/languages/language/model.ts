import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ConfiguredLanguage } from '../resolution/ConfiguredLanguage.ts';
import type { TextDirection } from '../resolution/directionOf.ts';

/** URLs of a language's pages: below a path, on a separate host, or with `?lang=`. */
export type UrlStrategy = 'directory' | 'subdomain' | 'domain' | 'query';

/** One language of an installation; its position in the list is its order. */
export interface LanguageEntry extends ConfiguredLanguage {
  /** Overrides of names; null for the name of `Intl.DisplayNames`. */
  readonly nativeName: string | null;
  readonly englishName: string | null;
  readonly direction: TextDirection;
  /** Separate host, for the strategy `domain`. */
  readonly domain: string | null;
  /** Override of the computed home URL, on an allowed host. */
  readonly homeUrl: string | null;
}

/**
 * The language configuration of one installation. It is one document, so one compare-and-set enforces all of its rules.
 */
export interface LanguageSettingsRecord extends RecordWithOutbox {
  /** Id of the installation. */
  _id: string;
  installationId: string;
  version: number;
  defaultCode: string;
  /** Absolute, without trailing slash. */
  baseUrl: string;
  urlStrategy: UrlStrategy;
  /** Whether the default language's pages are at the base URL itself. */
  hideDefaultPrefix: boolean;
  languages: LanguageEntry[];
  createdAt: Date;
  updatedAt: Date;
}

const entry = new Schema<LanguageEntry>(
  {
    code: { type: String, required: true },
    locale: { type: String, required: true },
    bcp47: { type: String, required: true },
    aliases: { type: [String], required: true },
    active: { type: Boolean, required: true },
    fallbacks: { type: [String], required: true },
    nativeName: { type: String, default: null },
    englishName: { type: String, default: null },
    direction: { type: String, required: true },
    domain: { type: String, default: null },
    homeUrl: { type: String, default: null },
  },
  { _id: false },
);

/** Found by `_id`, and by the relay. */
export const LanguageSettingsModel = defineModel<LanguageSettingsRecord>(
  'language_settings',
  new Schema<LanguageSettingsRecord>({
    _id: String,
    version: { type: Number, required: true },
    defaultCode: { type: String, required: true },
    baseUrl: { type: String, required: true },
    urlStrategy: { type: String, required: true },
    hideDefaultPrefix: { type: Boolean, required: true },
    languages: { type: [entry], required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  }).plugin(outbox),
);
