import { systemClock } from '../../base/clock.ts';
import { OutgoingHttp } from '../../connectors/outgoing/outgoing-http.ts';
import { sendMessage } from '../../connectors/webhook-sender/send-message.ts';
import { serveCalls } from '../../runtime/threads/serve-calls.ts';
import type { SenderCalls, SenderThreadSettings } from './sender-thread.ts';

// The thread of `senderThread`.

const resultsWaitMilliseconds = 2;

await serveCalls<SenderCalls, SenderThreadSettings>('work', ({ outgoing, certificateAuthority }) => {
  const http = new OutgoingHttp(outgoing, certificateAuthority === undefined ? {} : { certificateAuthority });
  return {
    calls: { send: (message, { signal }) => sendMessage(http, message, systemClock, signal) },
    close: () => http.close(),
    resultsWaitMilliseconds,
  };
});
