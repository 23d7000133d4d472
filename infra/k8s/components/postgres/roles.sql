-- A role for each service, which owns its schema and can neither see into another's nor make a new one. Run it in the
-- services' database as its owner, with the passwords in the environment (psql 15 or newer); safe to repeat:
--   psql "$ADMIN_URL" -v ON_ERROR_STOP=1 -f roles.sql
\getenv gateway GATEWAY_PASSWORD
\getenv packs PACK_REGISTRY_PASSWORD
\getenv runs RUN_ORCHESTRATOR_PASSWORD
\getenv vault SECRETS_VAULT_PASSWORD
\getenv scoring SCORING_PASSWORD

SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;

SELECT format('CREATE ROLE agentclash_%s', name)
  FROM unnest(ARRAY['gateway', 'packs', 'runs', 'vault', 'scoring']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agentclash_' || name) \gexec

ALTER ROLE agentclash_gateway LOGIN PASSWORD :'gateway';
ALTER ROLE agentclash_packs LOGIN PASSWORD :'packs';
ALTER ROLE agentclash_runs LOGIN PASSWORD :'runs';
ALTER ROLE agentclash_vault LOGIN PASSWORD :'vault';
ALTER ROLE agentclash_scoring LOGIN PASSWORD :'scoring';

-- Connections set it too, but a pooler between may not pass that on.
ALTER ROLE agentclash_gateway SET search_path = gateway;
ALTER ROLE agentclash_packs SET search_path = packs;
ALTER ROLE agentclash_runs SET search_path = runs;
ALTER ROLE agentclash_vault SET search_path = vault;
ALTER ROLE agentclash_scoring SET search_path = scoring;

SELECT format('GRANT CONNECT ON DATABASE %I TO agentclash_%s', current_database(), name)
  FROM unnest(ARRAY['gateway', 'packs', 'runs', 'vault', 'scoring']) AS name \gexec
-- Owners of managed databases are no superusers: they may give away only what they are a member of.
SELECT format('GRANT agentclash_%s TO %I', name, current_user)
  FROM unnest(ARRAY['gateway', 'packs', 'runs', 'vault', 'scoring']) AS name \gexec
SELECT format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION agentclash_%s', name, name)
  FROM unnest(ARRAY['gateway', 'packs', 'runs', 'vault', 'scoring']) AS name \gexec
