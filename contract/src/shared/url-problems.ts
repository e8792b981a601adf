/** Parts of messages about URLs that the service must not request, by which a client recognizes the reason. */
export const notHttpsMessage = 'The URL does not begin with https://.';
export const notPublicMessage = 'Use a public one, or add its network to GATEHOUSE_ALLOWED_NETWORKS.';
