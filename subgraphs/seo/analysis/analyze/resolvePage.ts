import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { AnalysisInput, ProductInput } from '../../engine/contract.ts';
import { findText, requireText } from '../../pages/object/findText.ts';
import { loadObject, localeOf } from '../../pages/object/loadObject.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { emptyFields } from '../../pages/record/model.ts';
import { findRecord } from '../../pages/record/records.ts';
import { compareWithSite } from '../../pages/site-index/compareWithSite.ts';
import type { SeoAnalysisInput, SeoProductInput } from '../../seo.generated.ts';
import { savedPage } from './savedPage.ts';
import { toMajorUnits } from './toMajorUnits.ts';

/** Page for the engine, and the source of its body. */
export interface ResolvedPage {
  readonly page: AnalysisInput;
  readonly origin: 'request' | 'object';
}

/**
 * Returns the page of an input: the saved object, overridden by every member of the request.
 *
 * @throws AppError `seo_no_content_source`, `not_found`, `ownership_required`, `seo_no_content_in_language`
 */
export async function resolvePage(input: SeoAnalysisInput, context: RequestContext): Promise<ResolvedPage> {
  const sent = toSentPage(input);
  if (!input.object) {
    if (typeof sent.content === 'string') return { page: sent, origin: 'request' };
    throw new AppError('seo_no_content_source', 'Send "content", or an "object" to analyze its stored text.');
  }
  const object = toObjectRef(input.object);
  const owned = await loadObject(context, object, { details: true });
  const locale = localeOf(context, owned, input.locale);
  const isSent = sent.content !== undefined;
  const asked = { object, owned };
  const details = { details: true };
  const [text, record] = await Promise.all([
    isSent ? findText(context, asked, locale, details) : requireText(context, asked, locale, details),
    findRecord(context, { object, locale }),
  ]);
  const content = text?.content ?? null;
  const page = { ...savedPage(object.type, locale, content, record ?? emptyFields), ...sent };
  // Null clears the saved body, and a cleared body is empty instead of unknown.
  const known = isSent ? { ...page, content: page.content ?? '' } : page;
  return {
    page: await compareWithSite(context, { object, holder: text?.holder ?? object, locale }, known),
    origin: isSent ? 'request' : 'object',
  };
}

/** Returns the sent members in the engine's format. Null for an enum means its default. */
function toSentPage(input: SeoAnalysisInput): AnalysisInput {
  const { object: _, locale, profile, product, ...rest } = input;
  const sent = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...(sent as Omit<AnalysisInput, 'locale' | 'profile' | 'product'>),
    ...(locale && { locale }),
    ...(profile && { profile }),
    ...(product !== undefined && { product: product && toProduct(product) }),
  };
}

function toProduct({ price, ...rest }: SeoProductInput): ProductInput {
  if (!price) return rest;
  return { ...rest, price: toMajorUnits(price.amount, price.currency), currency: price.currency };
}
