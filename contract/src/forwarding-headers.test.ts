import { expect, test } from 'vitest';
import { isForwardingHeader } from './forwarding-headers.ts';

test.each(
  `forwarded forwarded-for forwarded-proto x-forwarded x-forwarded-for x-forwarded-by x-forwarded-host x-forwarded-port
  x-forwarded-prefix x-forwarded-proto x-forwarded-protocol x-forwarded-scheme x-forwarded-server x-forwarded-ssl
  x-forwarded-path x-forwarded-uri x-forwarded-user x-forward-for x-forward-host x-forwarder-for cloudfront-forwarded-proto
  x-real-ip x-realip client-ip clientip x-client-ip x-clientip x-0-client-ip x-cluster-client-ip true-client-ip
  x-true-client-ip cf-connecting-ip cf-connecting-ipv6 cf-pseudo-ipv4 cf-visitor cf-ipcountry fastly-client-ip fastly-ssl
  x-appengine-user-ip x-appengine-remote-addr x-originating-ip x-remote-ip x-remote-addr remote-addr remote-host remote-port
  x-proxyuser-ip proxy-client-ip wl-proxy-client-ip wl-proxy-ssl cdn-src-ip ali-cdn-real-ip x-azure-clientip
  x-azure-socketip x-envoy-external-address x-envoy-original-path x-real-port x-source-ip x-user-ip proxy x-proxy-url
  x-host x-http-host-override host-override x-host-override x-original-host disguised-host x-backend-host server-name
  x-original-url x-original-uri x-original-path x-original-method x-original-proto x-original-for x-original-remote-addr
  x-rewrite-url x-override-url x-replaced-path x-matched-path x-invoke-path x-unproxied-url x-waws-unencoded-url
  script-name x-script-name script-url path-info x-path-info path-translated request-uri x-request-uri query-string
  daphne-root-path root-path x-base-path x-context-path x-servlet-path document-root redirect-url x-ingress-path
  x-scheme x-url-scheme x-proto front-end-https https x-https ssl-client-verify x-ssl x-ssl-client-cert x-arr-ssl x-arr-log-id
  x-appservice-proto x-middleware-subrequest x-middleware-rewrite x-vercel-ip-country x-nf-client-connection-ip`.split(
    /\s+/,
  ),
)('%s says how a request came', (name) => {
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
