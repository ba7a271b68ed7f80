import type { EventSubject } from '../../platform/events/toEvents.ts';
import type { LanguageSettingsRecord } from '../languages/language/model.ts';

/** Publishes which languages an installation has. */
export async function describeSettings(records: readonly LanguageSettingsRecord[]): Promise<EventSubject[]> {
  return records.map(({ _id, version, defaultCode, languages }) => ({
    object: { type: 'installation', id: _id },
    contentVersion: version,
    content: {
      defaultCode,
      languages: languages.map(({ code, bcp47, active, fallbacks }) => ({
        code,
        languageTag: bcp47,
        active,
        fallbacks,
      })),
    },
  }));
}
