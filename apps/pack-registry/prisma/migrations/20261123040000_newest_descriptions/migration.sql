-- A pack has the description of its newest version. Functions of JSON refuse the character U+0000.
UPDATE "packs" p
SET "description" = newest."manifest"::json -> 'pack' ->> 'description'
FROM (
    SELECT DISTINCT ON ("pack_id") "pack_id", "manifest"
    FROM "versions"
    ORDER BY "pack_id", "number" DESC
) newest
WHERE newest."pack_id" = p."id" AND position('\u0000' IN newest."manifest") = 0;
