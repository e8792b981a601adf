import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { eventTypeText } from '../events/event-type-text.ts';

const testType = 'webhook.test';

// The names of the types belong to another page, and should not delay this one.
loadTexts('events').catch(() => {});

/** Names the type of a message: that of an event, or of a test. */
export function useTypeText(): (type: string) => string {
  const t = useTexts('webhooks');
  const events = useTexts('events');
  return (type) => (type === testType ? t('kind.test') : eventTypeText(events, type));
}
