import type { FieldProblem } from '../../../../schema/Problem.ts';
import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';
import type { LanguageEntry, LanguageSettingsRecord } from './model.ts';

/** Maximum number of languages of an installation. */
const mostLanguages = 200;

const codePattern = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/;
const localePattern = /^[A-Za-z]{2,8}(_[A-Za-z0-9]{1,8})*$/;
const longestName = 35;

/** Part of a configuration that its rules check. */
export type CheckedSettings = Pick<
  LanguageSettingsRecord,
  'defaultCode' | 'baseUrl' | 'urlStrategy' | 'languages'
>;

/**
 * Validates a configuration: malformed or duplicate names, a missing or inactive default, unknown or cyclic fallbacks,
 * and URLs outside the installation's hosts.
 *
 * @returns errors with pointers into `{languages, defaultCode, baseUrl}`; empty if it is valid
 */
export function checkLanguageSettings(settings: CheckedSettings): FieldProblem[] {
  const { languages, defaultCode } = settings;
  const problems: FieldProblem[] = [];
  if (languages.length === 0 || languages.length > mostLanguages)
    problems.push(problem('#/languages', `An installation must have 1 to ${mostLanguages} languages.`));
  const standard = languages.find(({ code }) => code === defaultCode);
  if (!standard?.active)
    problems.push(problem('#/defaultCode', 'The default language must be an active language.'));
  const base = httpUrl(settings.baseUrl);
  if (!base || base.username !== '' || base.search !== '' || base.hash !== '')
    problems.push(
      problem(
        '#/baseUrl',
        'The base URL must be absolute, use http or https and have no query or credentials.',
      ),
    );
  return [
    ...problems,
    ...languages.flatMap(checkNames),
    ...checkUnique(languages),
    ...languages.flatMap((language, index) => checkAddress(language, index, settings, base)),
    ...checkFallbacks(languages),
  ];
}

function checkNames(language: LanguageEntry, index: number): FieldProblem[] {
  const { code, locale, bcp47, nativeName, englishName } = language;
  const at = `#/languages/${index}`;
  const problems: FieldProblem[] = [];
  if (code.length > longestName || !codePattern.test(code))
    problems.push(
      problem(`${at}/code`, 'A code must be lower case, such as "pt-br", and have at most 35 characters.'),
    );
  if (locale.length > longestName || !localePattern.test(locale))
    problems.push(problem(`${at}/locale`, 'A locale must have the form "pt_BR" and at most 35 characters.'));
  const canonical = toCanonicalTag(bcp47);
  if (canonical !== bcp47 || bcp47.startsWith('und'))
    problems.push(problem(`${at}/bcp47`, 'The tag must be a canonical BCP 47 language tag.'));
  if (nativeName?.trim() === '' || englishName?.trim() === '')
    problems.push(problem(`${at}/names`, 'A name must not be empty.'));
  return problems;
}

/** Returns the errors in names. Every code or alias must identify one language, in any case. */
function checkUnique(languages: readonly LanguageEntry[]): FieldProblem[] {
  const owners = new Map<string, number>();
  const problems: FieldProblem[] = [];
  languages.forEach(({ code, locale, bcp47, aliases }, index) => {
    const names = new Set([code, locale, bcp47, ...aliases].map((name) => name.toLowerCase()));
    for (const name of names) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, index);
      else
        problems.push({
          pointer: `#/languages/${index}`,
          code: 'duplicate',
          detail: `"${name}" already identifies the language "${languages[owner]?.code}".`,
        });
    }
  });
  return problems;
}

function checkAddress(
  { homeUrl, domain }: LanguageEntry,
  index: number,
  { urlStrategy, languages }: CheckedSettings,
  base: URL | null,
): FieldProblem[] {
  const at = `#/languages/${index}`;
  if (urlStrategy === 'domain' && domain === null && homeUrl === null)
    return [problem(`${at}/domain`, 'With a domain per language, every language needs its own domain.')];
  const problems: FieldProblem[] = [];
  if (domain !== null && URL.parse(`https://${domain}/`)?.host !== domain)
    problems.push(problem(`${at}/domain`, 'A domain must be a host name with an optional port.'));
  if (homeUrl === null || base === null) return problems;
  const url = httpUrl(homeUrl);
  const domains = new Set(languages.flatMap((language) => language.domain ?? []));
  const isOwnHost =
    url && (url.host === base.host || url.host.endsWith(`.${base.host}`) || domains.has(url.host));
  if (!isOwnHost || !url?.pathname.endsWith('/'))
    problems.push(
      problem(
        `${at}/homeUrl`,
        'A home URL must use http or https, have a host of the installation and end with a slash.',
      ),
    );
  return problems;
}

function checkFallbacks(languages: readonly LanguageEntry[]): FieldProblem[] {
  const byCode = new Map(languages.map((language) => [language.code, language]));
  return languages.flatMap(({ code, fallbacks }, index) => {
    const pointer = `#/languages/${index}/fallbacks`;
    const unknown = fallbacks.filter((fallback) => !byCode.has(fallback));
    if (unknown.length > 0)
      return [
        problem(
          pointer,
          `A fallback must be the code of a configured language. "${unknown[0]}" is not configured.`,
        ),
      ];
    return reaches(byCode, fallbacks, code)
      ? [{ pointer, code: 'fallback_cycle', detail: `The fallbacks of "${code}" form a cycle.` }]
      : [];
  });
}

function reaches(
  byCode: ReadonlyMap<string, LanguageEntry>,
  from: readonly string[],
  target: string,
): boolean {
  const seen = new Set<string>();
  const pending = [...from];
  for (let code = pending.pop(); code !== undefined; code = pending.pop()) {
    if (code === target) return true;
    if (seen.has(code)) continue;
    seen.add(code);
    pending.push(...(byCode.get(code)?.fallbacks ?? []));
  }
  return false;
}

function httpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

function problem(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'invalid', detail };
}
