import { type Environment, list, readAll } from './Setting.ts';

/** Models for AI suggestions. */
export const aiSettings = {
  privateAiHosts: list('AI_PRIVATE_HOSTS', {
    meaning:
      'Hosts of your own models that are allowed although they have private addresses or use plain http; see [AI suggestions](../how-to/ai-suggestions.md).',
    allowed: 'a list, such as `localhost:11434,models.internal`',
    accepts: (host) => URL.parse(`http://${host}`)?.host === host,
  }),
};

export const readAi = (environment: Environment) => readAll(aiSettings, environment);
