//! Tests of whole maps: what is where.
