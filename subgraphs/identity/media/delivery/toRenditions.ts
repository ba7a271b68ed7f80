import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Rendition } from '../../identity.generated.ts';
import type { MediaRecord } from '../model.ts';
import { renditionUrl } from './renditionUrl.ts';

/** The renditions of a file with their addresses. Whether somebody may see them, the caller has asked. */
export function toRenditions(record: MediaRecord, context: RequestContext): Rendition[] {
  return record.renditions.map((rendition) => ({
    ...rendition,
    name: rendition.name,
    format: rendition.format,
    url: renditionUrl(record, rendition, context),
  }));
}
