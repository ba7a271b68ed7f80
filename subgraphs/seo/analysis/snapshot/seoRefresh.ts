import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { timed } from '../../../platform/context/timed.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { describePage } from '../../engine/describePage.ts';
import { requireText } from '../../pages/object/findText.ts';
import { loadWritable, localeOf } from '../../pages/object/loadObject.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { findRecord } from '../../pages/record/records.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoRefreshInput } from '../../seo.generated.ts';
import { type Comparison, compareAnalyses } from './compareAnalyses.ts';
import { type TakenSnapshot, takeSnapshot } from './takeSnapshot.ts';

/** Result of a refresh. */
export interface RefreshOutcome extends Comparison, TakenSnapshot {
  indexed: Indexed;
}

/** Values of this object that others are compared with. */
interface Indexed {
  /** Pages of the installation that it links to. */
  links: number;
  /** Whether it has a keyphrase that is published. */
  keyphrase: boolean;
}

/**
 * Analyzes the saved text of an object and stores the result, unless this engine has created the latest stored one from
 * the same text, fields and ruleset. Concurrent refreshes compute the same result and store it once.
 *
 * @throws AppError `not_found`, `ownership_required`, `seo_no_content_in_language`, `seo_content_version_conflict`
 */
export async function seoRefresh(input: SeoRefreshInput, context: RequestContext): Promise<RefreshOutcome> {
  const object = toObjectRef(input.object);
  const { locale, text } = await timed(context, 'content', async () => {
    const owned = await loadWritable(context, object, { details: true });
    const stated = localeOf(context, owned, input.locale);
    return {
      locale: stated,
      text: await requireText(context, { object, owned }, stated, { details: true }),
    };
  });
  const { content } = text;
  assertContentVersion(text.contentVersion, input.ifContentVersion);
  const ruleset = await loadRuleset(context);
  const { force } = input;
  const { changed, previous, current } = await timed(context, 'analysis', () =>
    takeSnapshot(context, { object, locale, text, ruleset, source: 'refresh', force: force ?? false }),
  );
  const record = await findRecord(context, { object, locale });
  const indexed: Indexed = {
    links: describePage(content.html, content.url).links.length,
    keyphrase: (record?.keys.keyphrase ?? null) !== null,
  };
  return { changed, previous, current, ...compareAnalyses(previous, current), indexed };
}

function assertContentVersion(actual: number, expected: string | null | undefined): void {
  if (expected === null || expected === undefined || expected === String(actual)) return;
  throw new AppError(
    'seo_content_version_conflict',
    `The text is at version ${actual}, not ${expected}. Read it again and repeat the refresh.`,
    { contentVersion: String(actual) },
  );
}
