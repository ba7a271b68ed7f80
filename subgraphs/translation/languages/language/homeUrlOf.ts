import type { LanguageEntry, UrlStrategy } from './model.ts';

/** Settings of the URLs of an installation's languages. */
export interface HomeUrlRules {
  readonly baseUrl: string;
  readonly urlStrategy: UrlStrategy;
  readonly hideDefaultPrefix: boolean;
  readonly defaultCode: string;
}

/** Returns the absolute home URL of a language. Its path ends with a slash; the strategy `query` adds `?lang=`. */
export function homeUrlOf(language: LanguageEntry, rules: HomeUrlRules): string {
  if (language.homeUrl !== null) return language.homeUrl;
  const url = new URL(rules.baseUrl.endsWith('/') ? rules.baseUrl : `${rules.baseUrl}/`);
  if (rules.hideDefaultPrefix && language.code === rules.defaultCode) return url.href;
  switch (rules.urlStrategy) {
    case 'directory':
      url.pathname += `${language.code}/`;
      break;
    case 'subdomain':
      url.hostname = `${language.code}.${url.hostname}`;
      break;
    case 'domain':
      if (language.domain !== null) url.host = language.domain;
      break;
    case 'query':
      url.search = `?lang=${language.code}`;
  }
  return url.href;
}
