-- Permissions of features that do not exist leave the keys that carry them: no old key is to gain a feature later.
UPDATE api_keys SET permissions = (
  SELECT json_group_array(value ORDER BY key) FROM json_each(api_keys.permissions)
  WHERE value NOT IN ('webhooks:read', 'webhooks:write', 'scim')
)
WHERE permissions LIKE '%"webhooks:%' OR permissions LIKE '%"scim"%';
