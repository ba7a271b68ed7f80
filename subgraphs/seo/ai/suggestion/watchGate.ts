import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { checkAcknowledgements, findObstacle } from '../gate/findObstacle.ts';
import { type ConfiguredAi, findAiSettings } from '../settings/aiSettings.ts';

const everyMs = 500;

/**
 * Rechecks the gate while a request is in progress. A revocation, or settings with another target, from any process
 * abort the request, as does the caller's disconnect.
 *
 * @param settings settings of the request
 */
export function watchGate(
  context: RequestContext,
  settings: ConfiguredAi,
): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const look = async (): Promise<void> => {
    try {
      await assertOpen(context, settings);
    } catch (error) {
      // A temporary database failure revokes nothing.
      if (error instanceof AppError) controller.abort(error);
    }
    if (!isStopped && !controller.signal.aborted) timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), everyMs);
  return {
    signal: context.signal ? AbortSignal.any([controller.signal, context.signal]) : controller.signal,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Checks that texts may currently be sent to the provider of these settings.
 *
 * @throws AppError `seo_ai_disabled`, `seo_ai_not_configured`, `seo_ai_acknowledgement_required`
 */
export async function assertOpen(context: RequestContext, { baseUrl }: ConfiguredAi): Promise<void> {
  const settings = await findAiSettings(context);
  const obstacle = findObstacle(context, settings, await checkAcknowledgements(context, settings));
  if (obstacle) throw obstacle;
  if (settings.baseUrl !== baseUrl)
    throw new AppError(
      'seo_ai_not_configured',
      'The provider was changed during the request. Repeat the request.',
    );
}
