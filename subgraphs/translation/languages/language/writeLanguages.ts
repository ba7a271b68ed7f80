import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import type {
  CreateLanguageInput,
  ReorderLanguagesInput,
  SetDefaultLanguageInput,
  SetLanguageActiveInput,
  UpdateLanguageAddressesInput,
  UpdateLanguageInput,
} from '../../translation.generated.ts';
import { changeLanguageSettings, entryOf } from './changeLanguageSettings.ts';
import { type LanguageParent, toLanguageParent } from './LanguageParent.ts';
import type { LanguageSettings } from './languageSettings.ts';
import { type LanguageListParent, toLanguageList } from './languages.ts';
import type { LanguageEntry } from './model.ts';
import { toEditedEntry, toLanguageEntries } from './toLanguageEntries.ts';

/** Response of every write: all languages. */
export interface LanguagesWrite {
  readonly languages: LanguageListParent;
}

/** A language that was changed, and all of them. */
interface LanguageWrite extends LanguagesWrite {
  readonly language: LanguageParent;
}

/** Adds a language after the others. Readers get it once it is active. */
export async function createLanguage(
  { expectedVersion, direction, ...input }: CreateLanguageInput,
  context: RequestContext,
): Promise<LanguageWrite> {
  const { locale, bcp47, nativeName, englishName, domain, homeUrl } = input;
  const [entry] = toLanguageEntries([
    {
      code: input.code,
      aliases: input.aliases ?? [],
      fallbacks: input.fallbacks ?? [],
      active: input.active ?? false,
      ...(direction == null ? {} : { direction }),
      ...stated({ locale, bcp47, nativeName, englishName, domain, homeUrl }),
    },
  ]) as [LanguageEntry];
  return toWrite(
    await changeLanguageSettings(
      context,
      expectedVersion,
      ({ languages }) => {
        if (languages.some(({ code }) => code === entry.code))
          throw new AppError('language_exists', `The language "${entry.code}" is already configured.`);
        return { languages: [...languages, entry] };
      },
      entry.code,
    ),
    entry.code,
  );
}

/** Changes the given members; null removes an override. */
export async function updateLanguage(
  { code, expectedVersion, ...changes }: UpdateLanguageInput,
  context: RequestContext,
): Promise<LanguageWrite> {
  const settings = await changeLanguageSettings(
    context,
    expectedVersion,
    (present) => {
      const before = entryOf(present, code);
      const after = toEditedEntry(before, changes);
      return isSame(before, after) ? null : { languages: present.languages.map(replace(before, after)) };
    },
    code,
  );
  return toWrite(settings, code);
}

/** Shows or hides a language for readers. Its texts are unchanged. */
export async function setLanguageActive(
  { code, active, expectedVersion }: SetLanguageActiveInput,
  context: RequestContext,
): Promise<LanguageWrite> {
  const settings = await changeLanguageSettings(context, expectedVersion, (present) => {
    const entry = entryOf(present, code);
    if (entry.active === active) return null;
    if (!active && present.defaultCode === code)
      throw new AppError('language_is_default', 'The default language cannot be deactivated.');
    return { languages: present.languages.map(replace(entry, { ...entry, active })) };
  });
  return toWrite(settings, code);
}

/** Changes the default language, which affects fallbacks, home URLs and `x-default`, but no texts. */
export async function setDefaultLanguage(
  { code, expectedVersion }: SetDefaultLanguageInput,
  context: RequestContext,
): Promise<LanguageWrite> {
  const settings = await changeLanguageSettings(context, expectedVersion, (present) => {
    const { active } = entryOf(present, code);
    if (present.defaultCode === code) return null;
    if (!active) throw new AppError('language_inactive', 'The default language must be active.');
    return { defaultCode: code };
  });
  return toWrite(settings, code);
}

/** Sets the order of all languages. */
export async function reorderLanguages(
  { codes, expectedVersion }: ReorderLanguagesInput,
  context: RequestContext,
): Promise<LanguagesWrite> {
  const settings = await changeLanguageSettings(context, expectedVersion, ({ languages }) => {
    const byCode = new Map(languages.map((entry) => [entry.code, entry]));
    const ordered = codes.flatMap((code) => byCode.get(code) ?? []);
    if (codes.length !== languages.length || new Set(ordered).size !== languages.length) {
      const detail = 'An order must contain every configured language exactly once.';
      throw invalidFields([{ pointer: '#/codes', code: 'invalid', detail }]);
    }
    return languages.every((entry, index) => entry === ordered[index]) ? null : { languages: ordered };
  });
  return toLanguagesWrite(settings);
}

/** Changes the URLs of the languages' pages. */
export async function updateLanguageAddresses(
  { baseUrl, urlStrategy, hideDefaultPrefix, expectedVersion }: UpdateLanguageAddressesInput,
  context: RequestContext,
): Promise<LanguagesWrite> {
  const settings = await changeLanguageSettings(context, expectedVersion, (present) => {
    const next = {
      baseUrl: baseUrl == null ? present.baseUrl : baseUrl.replace(/\/$/, ''),
      urlStrategy: urlStrategy ?? present.urlStrategy,
      hideDefaultPrefix: hideDefaultPrefix ?? present.hideDefaultPrefix,
    };
    const isChange =
      next.baseUrl !== present.baseUrl ||
      next.urlStrategy !== present.urlStrategy ||
      next.hideDefaultPrefix !== present.hideDefaultPrefix;
    return isChange ? next : null;
  });
  return toLanguagesWrite(settings);
}

/** Returns the languages after a write. */
export function toLanguagesWrite(settings: LanguageSettings): LanguagesWrite {
  return { languages: toLanguageList(settings, settings.all, 'all', settings.default.bcp47) };
}

function toWrite(settings: LanguageSettings, code: string): LanguageWrite {
  const entry = settings.byCode.get(code);
  // The language was deleted meanwhile.
  if (!entry) throw new AppError('not_found', 'No language of the installation has this code.');
  return { language: toLanguageParent(settings, entry), ...toLanguagesWrite(settings) };
}

function replace(before: LanguageEntry, after: LanguageEntry) {
  return (entry: LanguageEntry): LanguageEntry => (entry === before ? after : entry);
}

function isSame(before: LanguageEntry, after: LanguageEntry): boolean {
  return Object.entries(after).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(before[name as keyof LanguageEntry]),
  );
}

/** Returns the stated members; for a new language, null counts as omitted. */
function stated<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as never;
}
