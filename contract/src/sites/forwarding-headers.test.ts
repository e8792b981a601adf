import { expect, test } from 'vitest';
import { knownForwardingHeaders } from '../../test/forwarding-names.ts';
import { isForwardingHeader } from './forwarding-headers.ts';

test.each(knownForwardingHeaders)('%s says how a request came', (name) => {
  expect(isForwardingHeader(name)).toBe(true);
});

test.each(
  `accept accept-encoding accept-language authorization cache-control content-type content-disposition content-range date
  depth destination digest dnt etag idempotency-key if-match if-none-match if-modified-since if-range last-event-id link
  lock-token origin overwrite pragma prefer priority range referer save-data sec-ch-ua sec-ch-ua-platform sec-fetch-dest
  sec-websocket-key sec-gpc signature slug timeout traceparent tus-resumable upload-length upload-offset user-agent via
  x-csrf-token x-csrftoken x-xsrf-token x-requested-with x-request-id x-correlation-id x-http-method-override
  x-original-filename x-original-file-name x-file-name x-file-path x-upload-path x-upload-content-type x-api-key x-auth-token
  x-client-info x-client-version x-client-data x-client-id x-wp-nonce x-nonce x-inertia x-inertia-version x-livewire
  x-socket-id x-turbo-request-id turbo-frame hx-request hx-current-url hx-target hx-prompt x-pjax x-pjax-container
  x-nextjs-data next-action next-router-state-tree next-url rsc x-middleware-prefetch x-sveltekit-action
  x-nuxt-no-ssr x-amz-date x-amz-content-sha256 x-goog-meta-a x-oc-mtime oc-chunked oc-total-length ocs-apirequest
  x-grafana-org-id x-gitlab-static-object-token x-discourse-present discourse-track-view x-mattermost x-zip x-ship
  x-skip tooltip x-clip x-membership grpc-timeout x-grpc-web connect-protocol-version x-user-agent cdn-loop
  cf-access-jwt-assertion x-apollo-operation-name apollo-require-preflight x-shopify-shop-domain x-github-event
  x-hub-signature-256 stripe-signature remote-user remote-email x-remote-user x-webauth-user x-auth-request-user`.split(
    /\s+/,
  ),
)('%s says nothing of how a request came', (name) => {
  expect(isForwardingHeader(name)).toBe(false);
});
