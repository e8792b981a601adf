-- Permissions of features that do not exist leave the keys that carry them: no old key is to gain a feature later.
UPDATE api_keys SET permissions = (permissions::jsonb - 'webhooks:read' - 'webhooks:write' - 'scim')::text
WHERE permissions LIKE '%"webhooks:%' OR permissions LIKE '%"scim"%';
