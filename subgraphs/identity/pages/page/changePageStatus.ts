import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { changePage } from './changePage.ts';
import type { PageRecord } from './model.ts';
import { assertText } from './updatePage.ts';

interface Target {
  pageId: string;
  expectedVersion?: number | null | undefined;
}

/** Publishes a page. The time of the first publication is kept. */
export async function publishPage(input: Target, context: RequestContext): Promise<{ page: PageRecord }> {
  const page = await changePage(input, 'publishPage', context, {
    check: ({ html }) => assertText(html),
    plan({ status, publishedAt }) {
      if (status === 'published') throw invalidTransition(status, 'draft');
      return { status: 'published', publishedAt: publishedAt ?? new Date(context.platform.now()) };
    },
  });
  return { page };
}

/** Makes a page a draft again. */
export async function unpublishPage(input: Target, context: RequestContext): Promise<{ page: PageRecord }> {
  const page = await changePage(input, 'unpublishPage', context, {
    plan({ status }) {
      if (status === 'draft') throw invalidTransition(status, 'published');
      return { status: 'draft' };
    },
  });
  return { page };
}

function invalidTransition(state: PageRecord['status'], other: PageRecord['status']): AppError {
  const detail = state === 'published' ? 'The page is already published.' : 'The page is already a draft.';
  return new AppError('invalid_transition', detail, { allowedFrom: { state, allowed: [other] } });
}
