import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Rendition } from '../../identity.generated.ts';
import type { MediaRecord } from '../model.ts';
import { renditionUrl } from './renditionUrl.ts';

/** Returns the renditions of a file with their URLs. The caller has checked access. */
export function toRenditions(record: MediaRecord, context: RequestContext): Rendition[] {
  return record.renditions.map((rendition) => ({
    ...rendition,
    name: rendition.name,
    format: rendition.format,
    url: renditionUrl(record, rendition, context),
  }));
}
