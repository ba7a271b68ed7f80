import DataLoader from 'dataloader';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';

/** Kinds of records that have texts in several languages. */
export type TextType = 'listing' | 'dealer' | 'page';

/** The text of a record in a language, as the translation subgraph tells it to this caller. */
export interface TextInLanguage {
  /** The record whose owner decides about the text and renders it: the one asked about, or another of its group. */
  holderId: string;
  /** Names the text: another one in the same language has another name. Null where the words are the holder's own. */
  textId: string | null;
  /** Changes with every change of words that were written there; 0 where they are the holder's own. */
  version: number;
  /** Whether readers get a text in this language while they see its holder. */
  live: boolean;
  /** Whether these are words that are being worked on, and not what readers get. */
  draft: boolean;
  /** Address of its page. */
  url: string | null;
  /** Words by the name of the field; absent unless asked for, null where they are the holder's own. */
  words?: Readonly<Record<string, string | null>> | null;
}

/** What there is of a record in languages, for this caller. */
export interface TextsAnswer {
  /** BCP 47 tags of the texts that he may see. */
  available: readonly string[];
  text: TextInLanguage | null;
}

/** Transport of the question: runs one operation of the translation subgraph with the caller's identity. */
export type AskTexts = (
  variables: {
    representations: { __typename: 'Listing' | 'Dealer' | 'Page'; id: string }[];
    language: string;
    words: boolean;
  },
  context: RequestContext,
) => Promise<{ _entities: ({ textIn: TextsAnswer | null } | null)[] }>;

const typeOf = { listing: 'Listing', dealer: 'Dealer', page: 'Page' } as const;

/** The operation behind `AskTexts`; its field is `@inaccessible`, so only a subgraph can ask. */
export const askTextsDocument = `query askTexts($representations: [_Any!]!, $language: String!, $words: Boolean!) {
  _entities(representations: $representations) {
    __typename
${Object.values(typeOf)
  .map(
    (type) =>
      `    ... on ${type} { textIn(language: $language) { available text { holderId textId version live draft url words @include(if: $words) { title description html slug } } } }`,
  )
  .join('\n')}
  }
}`;

/** In a process that knows no translation subgraph there are no texts but the owner's. */
export const nobodyKnowsTexts: AskTexts = async ({ representations }) => ({
  _entities: representations.map(() => ({ textIn: { available: [], text: null } })),
});

/** A record, a language, and whether the words are wanted along. */
export interface TextQuestion {
  readonly type: TextType;
  readonly id: string;
  readonly language: string;
  readonly words: boolean;
}

/**
 * The text of a record in exactly this language, the one being worked on for whoever works on it. All questions of one
 * tick about one language travel as one operation.
 *
 * @throws AppError `unavailable`: whether there is a text is not known without an answer
 */
export function loadText(context: RequestContext, question: TextQuestion): Promise<TextsAnswer> {
  return context.loader(textsLoader).load(question);
}

function textsLoader(context: RequestContext): DataLoader<TextQuestion, TextsAnswer, string> {
  return new DataLoader((questions) => ask(context, questions), {
    maxBatchSize: 1000,
    cacheKeyFn: ({ type, id, language, words }) => `${type}:${id}:${language}:${words}`,
  });
}

async function ask(
  context: RequestContext,
  questions: readonly TextQuestion[],
): Promise<(TextsAnswer | Error)[]> {
  if (context.depth > 0) throw new Error('A subgraph that is asked about a record must not ask another one.');
  const answers = new Map<TextQuestion, TextsAnswer | Error>();
  const alike = Map.groupBy(questions, ({ language, words }) => `${words}:${language}`);
  await Promise.all(
    [...alike.values()].map(async (some) => {
      const [{ language, words }] = some as [TextQuestion];
      const representations = some.map(({ type, id }) => ({ __typename: typeOf[type], id }));
      const { _entities } = await context.platform.askTexts({ representations, language, words }, context);
      for (const [index, question] of some.entries())
        answers.set(question, _entities[index]?.textIn ?? unanswered());
    }),
  );
  return questions.map((question) => answers.get(question) ?? unanswered());
}

function unanswered(): AppError {
  return new AppError('unavailable', 'The texts in other languages cannot be read right now.', {
    retryAfter: 5,
  });
}
