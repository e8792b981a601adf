/** Names of forwarding headers that proxies, platforms and programs are known to use, for tests of what removes them. */
export const knownForwardingHeaders: readonly string[] =
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
  );

/** Names of headers in which proxies and platforms are known to say who the visitor is. */
export const knownIdentityHeaders: readonly string[] =
  `x-auth-request-user x-auth-request-email x-auth-request-groups x-auth-request-preferred-username
  x-auth-request-access-token x-authentik-username x-authentik-groups x-authentik-email x-authentik-name x-authentik-uid
  x-webauth-user x-webauth-email x-webauth-name x-webauth-groups x-webauth-role x-remote-user x-remote-email x-remote-name
  x-remote-group x-remote-groups x-forwarded-email x-forwarded-groups x-forwarded-preferred-username x-ms-client-principal
  x-ms-client-principal-id x-ms-client-principal-idp x-ms-client-principal-name x-goog-authenticated-user-email
  x-goog-authenticated-user-id tailscale-user-login tailscale-user-name tailscale-user-profile-pic
  cf-access-authenticated-user-email`.split(/\s+/);
