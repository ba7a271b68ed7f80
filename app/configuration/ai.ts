import { type Environment, list, readAll } from './Setting.ts';

/** Models that AI suggestions are asked of. */
export const aiSettings = {
  privateAiHosts: list('AI_PRIVATE_HOSTS', {
    meaning:
      'Models of your own that may be asked although they are at private addresses or speak plain http; see [docs/ai-suggestions.md](docs/ai-suggestions.md).',
    allowed: 'a list, as in `localhost:11434,models.internal`',
    accepts: (host) => URL.parse(`http://${host}`)?.host === host,
  }),
};

export const readAi = (environment: Environment) => readAll(aiSettings, environment);
