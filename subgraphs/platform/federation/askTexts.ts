import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { question } from './question.ts';

/** Kinds of records that have texts in several languages. */
export type TextType = 'listing' | 'dealer' | 'page';

/** The text of a record in a language, as the translation subgraph returns it to this caller. */
export interface TextInLanguage {
  /** Record whose owner decides about the text and renders it: the requested record, or another of its group. */
  holderId: string;
  /** Names the text: another one in the same language has another name. Null where the words are the holder's own. */
  textId: string | null;
  /** Version of texts that were written there; 0 for the holder's own texts. */
  version: number;
  /** Whether readers get a text in this language while they see its holder. */
  live: boolean;
  /** Whether these are words that are being worked on, and not what readers get. */
  draft: boolean;
  /** URL of its page. */
  url: string | null;
  /** Texts by field. Absent unless requested, null for the holder's own texts. */
  words?: Readonly<Record<string, string | null>> | null;
}

/** Languages and texts of a record that are available to this caller. */
export interface TextsAnswer {
  /** BCP 47 tags of the texts that the caller may see. */
  available: readonly string[];
  text: TextInLanguage | null;
}

const typeOf = { listing: 'Listing', dealer: 'Dealer', page: 'Page' } as const;

/** Record, language, and whether texts are requested. */
export interface TextQuestion {
  readonly type: TextType;
  readonly id: string;
  readonly language: string;
  readonly words: boolean;
}

/** The question of `loadText`. Its field is `@inaccessible`, so only a subgraph can ask it. */
export const askTexts = question<TextQuestion, { textIn: TextsAnswer | null }, TextsAnswer>({
  subgraph: 'translation',
  document: `query askTexts($representations: [_Any!]!, $language: String!, $words: Boolean!) {
  _entities(representations: $representations) {
    __typename
${Object.values(typeOf)
  .map(
    (type) =>
      `    ... on ${type} { textIn(language: $language) { available text { holderId textId version live draft url words @include(if: $words) { title description html slug } } } }`,
  )
  .join('\n')}
  }
}`,
  nameOf: ({ type, id, language, words }) => `${type}:${id}:${language}:${words}`,
  variablesOf: ({ language, words }) => ({ language, words }),
  toRepresentation: ({ type, id }) => ({ __typename: typeOf[type], id }),
  toAnswer: (entity) =>
    entity?.textIn ??
    new AppError('unavailable', 'Translations cannot be read at the moment. Retry shortly.', {
      retryAfter: 5,
    }),
});

/**
 * Returns the text of a record in exactly this language; the draft for a caller who edits it. All questions of one tick
 * about one language are one operation.
 *
 * @throws AppError `unavailable` if the subgraph does not respond, because the existence of a text is then unknown
 */
export function loadText(context: RequestContext, key: TextQuestion): Promise<TextsAnswer> {
  return context.loader(askTexts.loader).load(key);
}
