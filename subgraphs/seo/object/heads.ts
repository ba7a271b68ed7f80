import { defineHeads, keepHeads } from '../../platform/events/objectHeads.ts';

/** What this subgraph knows of objects that it does not own: for lists and reports, never to decide about a write. */
export const SeoHeadModel = defineHeads('seo_object_heads');

export const seoHeadsJob = keepHeads('seo', SeoHeadModel);
