import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import {
  assertReach,
  loadOwned,
  loadRendered,
  type OwnedContent,
  type OwnedRecord,
} from '../../../platform/federation/askOwner.ts';
import { loadText, type TextInLanguage, type TextsAnswer } from '../../../platform/federation/askTexts.ts';
import { type ObjectRef, ownedTypeOf } from './ObjectRef.ts';

/** Identity and version of an object's text. */
export interface TextVersion {
  /** Object whose page shows the text: the object itself, or one that is linked as its translation. */
  readonly holder: ObjectRef;
  /** Reference of another text in the language; null for the object's own text. */
  readonly textId: string | null;
  /** Changes with every change of the text, and of other content of its page. */
  readonly contentVersion: number;
  readonly visibility: OwnedContent['visibility'];
  /** Whether it is not, or not yet, what readers get. */
  readonly isDraft: boolean;
}

/** A text with its identity, as its owner shows it. */
export interface ObjectText extends TextVersion {
  readonly content: OwnedContent;
}

/** An object with the response of its owner. */
interface Asked {
  readonly object: ObjectRef;
  readonly owned: OwnedRecord;
}

/**
 * Returns the text of an object in a language: its own, otherwise its translation into exactly this language. Callers
 * also get unpublished texts that they work on. Batched.
 *
 * @param asked `details`: with images and offer
 * @throws AppError `unavailable`
 */
export async function findText(
  context: RequestContext,
  { object, owned }: Asked,
  locale: string,
  asked: { details?: boolean } = {},
): Promise<ObjectText | null> {
  const own = toOwnText({ object, owned }, locale);
  if (own || !owned.content) return own;
  const { text } = await ask(context, object, { language: locale, words: true });
  if (!text) return null;
  const holder: ObjectRef = { type: object.type, id: text.holderId };
  const reference = { type: ownedTypeOf[holder.type], id: holder.id };
  const { textId, words } = text;
  const shown =
    textId !== null && words
      ? await loadRendered(context, reference, { words, textId: `${textId}@${text.version}`, ...asked })
      : await loadOwned(context, reference.type, reference.id, asked.details ? 'details' : 'texts');
  const version = toVersion(context, { object, text, shown });
  if (!version || !shown.content) return null;
  const { visibility } = version;
  const { slug, url } = shown.content;
  return {
    ...version,
    content: {
      ...shown.content,
      languageTag: locale,
      visibility,
      slug: words?.slug ?? slug,
      url: text.url ?? (textId === null ? url : null),
    },
  };
}

/**
 * Returns which text `findText` finds, without its content.
 *
 * @throws AppError `unavailable`
 */
export async function findTextVersion(
  context: RequestContext,
  { object, owned }: Asked,
  locale: string,
): Promise<TextVersion | null> {
  const own = toOwnText({ object, owned }, locale);
  if (own || !owned.content) return own;
  const { text } = await ask(context, object, { language: locale, words: false });
  if (!text) return null;
  const shown =
    text.holderId === object.id ? owned : await loadOwned(context, ownedTypeOf[object.type], text.holderId);
  return toVersion(context, { object, text, shown });
}

/**
 * Returns the text of an object.
 *
 * @throws AppError `seo_no_content_in_language` if `findText` finds none, `unavailable`
 */
export async function requireText(
  context: RequestContext,
  { object, owned }: Asked,
  locale: string,
  asked: { details?: boolean } = {},
): Promise<ObjectText> {
  return (
    (await findText(context, { object, owned }, locale, asked)) ?? refuse(context, { object, owned }, locale)
  );
}

/**
 * Returns the version of an object's text.
 *
 * @throws AppError `seo_no_content_in_language` if `findTextVersion` finds none, `unavailable`
 */
export async function requireTextVersion(
  context: RequestContext,
  { object, owned }: Asked,
  locale: string,
): Promise<TextVersion> {
  return (
    (await findTextVersion(context, { object, owned }, locale)) ?? refuse(context, { object, owned }, locale)
  );
}

/** Returns the object's own text. For an object without a language, the caller's language is used. */
function toOwnText({ object, owned }: Asked, locale: string): ObjectText | null {
  const { content } = owned;
  if (!content || (content.languageTag !== null && content.languageTag !== locale)) return null;
  const contentVersion = owned.contentVersion ?? 0;
  const { visibility } = content;
  const isDraft = visibility === 'PRIVATE';
  return { holder: object, textId: null, contentVersion, visibility, isDraft, content };
}

function ask(
  context: RequestContext,
  { type, id }: ObjectRef,
  asked: { language: string; words: boolean },
): Promise<TextsAnswer> {
  return loadText(context, { type, id, ...asked });
}

/** Returns the version; null if the owner of the text does not grant the caller access. */
function toVersion(
  context: RequestContext,
  { object, text, shown }: { object: ObjectRef; text: TextInLanguage; shown: OwnedRecord },
): TextVersion | null {
  const { content, contentVersion } = shown;
  if (!content) return null;
  const visibility = text.live ? content.visibility : 'PRIVATE';
  const isDraft = text.draft || visibility === 'PRIVATE';
  if (isDraft && !isWithinReach(context, shown)) return null;
  const isOwn = text.textId === null && shown.id === object.id;
  return {
    holder: { type: object.type, id: shown.id },
    textId: isOwn ? null : (text.textId ?? shown.id),
    contentVersion: (contentVersion ?? 0) + text.version,
    visibility,
    isDraft,
  };
}

function isWithinReach({ viewer }: RequestContext, shown: OwnedRecord): boolean {
  try {
    assertReach(shown, viewer.breadthOf('seo:edit') ?? 'own');
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function refuse(context: RequestContext, { object, owned }: Asked, locale: string): Promise<never> {
  const own = owned.content?.languageTag ?? null;
  const others = owned.content ? await ask(context, object, { language: locale, words: false }) : null;
  const languages = [...new Set([...(own ? [own] : []), ...(others?.available ?? [])])];
  throw new AppError(
    'seo_no_content_in_language',
    own
      ? `The object has no text in "${locale}"; its own language is "${own}".`
      : `The object has no text in "${locale}".`,
    { availableLanguages: languages },
  );
}
